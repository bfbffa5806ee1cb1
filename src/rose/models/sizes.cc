// Bounds far above any model's, far below where 32 bits end.
#include "rose/models/sizes.h"

#include "fmt/format.h"

namespace bouquet::rose {
namespace {

constexpr int64_t kWidest = 1 << 22;     // values of a row: hidden, intermediate, queries with keys and values
constexpr int64_t kMostWords = 1 << 26;  // of a vocabulary
constexpr int64_t kMostLayers = 10'000;

bool within(int64_t value, int64_t most) { return value >= 1 && value <= most; }

bool fits(const HeadShape& s) {
  return within(s.heads, kWidest) && within(s.kv_heads, s.heads) && s.heads % s.kv_heads == 0 &&
         within(s.head_dim, kWidest) && within((int64_t{s.heads} + 2 * int64_t{s.kv_heads}) * s.head_dim, kWidest);
}

}  // namespace

absl::Status check_claimed_sizes(const std::string& file, const ClaimedSizes& s) {
  const bool possible = within(s.vocab_size, kMostWords) && s.layers >= 0 && s.layers <= kMostLayers &&
                        within(s.hidden, kWidest) && within(s.intermediate, kWidest) && fits(s.shape);
  if (possible) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{}: impossible sizes ({} words, {} layers, {} and {} wide, {} heads of {} over {} of keys)", file,
                  s.vocab_size, s.layers, s.hidden, s.intermediate, s.shape.heads, s.shape.head_dim, s.shape.kv_heads));
}

}  // namespace bouquet::rose
