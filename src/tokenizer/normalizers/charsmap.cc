// A unit of the trie: bits 0-7 the label, 8 whether a value hangs below, 9 the offset's scale, 10-31 the offset; a
// value has bit 31 set.
#include "tokenizer/normalizers/charsmap.h"

#include <cstring>

#include "base/utf8.h"

namespace bouquet::tokenizer {
namespace {

bool has_leaf(uint32_t unit) { return (unit >> 8 & 1) != 0; }
uint32_t label_of(uint32_t unit) { return unit & 0x800000FF; }
uint32_t offset_of(uint32_t unit) { return unit >> 10 << (unit >> 6 & 8); }
uint32_t value_of(uint32_t unit) { return unit & 0x7FFFFFFF; }

}  // namespace

absl::StatusOr<Charsmap> Charsmap::parse(std::string_view bytes) {
  uint32_t trie_bytes = 0;
  if (bytes.size() < sizeof(trie_bytes)) return absl::InvalidArgumentError("is too short for a character map");
  std::memcpy(&trie_bytes, bytes.data(), sizeof(trie_bytes));
  bytes.remove_prefix(sizeof(trie_bytes));
  if (trie_bytes > bytes.size() || trie_bytes % sizeof(uint32_t) != 0 || trie_bytes == 0) {
    return absl::InvalidArgumentError("has a trie that does not fit");
  }
  Charsmap map;
  map.units_.resize(trie_bytes / sizeof(uint32_t));
  std::memcpy(map.units_.data(), bytes.data(), trie_bytes);
  map.pool_ = bytes.substr(trie_bytes);
  if (!is_valid_utf8(map.pool_)) return absl::InvalidArgumentError("has replacements that are not UTF-8");
  return map;
}

std::optional<std::string_view> Charsmap::find(std::string_view text) const {
  uint32_t at = offset_of(units_[0]);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    at ^= byte;
    if (byte == 0 || at >= units_.size() || label_of(units_[at]) != byte) return std::nullopt;
    const bool ends = has_leaf(units_[at]);
    at ^= offset_of(units_[at]);
    if (at >= units_.size()) return std::nullopt;
    if (!ends) continue;
    const uint32_t begin = value_of(units_[at]);
    if (begin > pool_.size()) return std::nullopt;
    const std::string_view rest = std::string_view(pool_).substr(begin);
    if (!rest.empty() && (static_cast<unsigned char>(rest[0]) & 0xC0) == 0x80) return std::nullopt;  // within one
    return rest.substr(0, rest.find('\0'));
  }
  return std::nullopt;
}

}  // namespace bouquet::tokenizer
