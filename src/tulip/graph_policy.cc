// Shapes in a map, their order of use in a list.
#include "tulip/graph_policy.h"

#include <bit>

namespace bouquet::tulip {
namespace {

constexpr int32_t kMaxSlots = 64;

int32_t round_up(int32_t value, int32_t step) { return (value + step - 1) / step * step; }
int32_t power_of_two(int32_t value) { return static_cast<int32_t>(std::bit_ceil(static_cast<uint32_t>(value))); }

}  // namespace

std::optional<GraphKey> graph_key(int32_t sequences, int32_t tokens, int32_t longest) {
  if (sequences < 1 || sequences > kMaxSlots) return std::nullopt;
  return GraphKey{power_of_two(sequences), round_up(tokens, tokens < 1024 ? 64 : 256), power_of_two(longest)};
}

std::optional<GraphKey> GraphPolicy::make_room() {
  if (shapes_.size() < options_.max_graphs) return std::nullopt;
  const GraphKey oldest = recency_.back();
  shapes_.erase(oldest);
  recency_.pop_back();
  return oldest;
}

GraphPlan GraphPolicy::plan(int32_t sequences, int32_t tokens, int32_t longest) {
  const std::optional<GraphKey> key = graph_key(sequences, tokens, longest);
  if (options_.mode == GraphMode::kOff || !key || tokens > options_.inflection_tokens) return {};
  GraphPlan plan{GraphAction::kEager, *key, std::nullopt};
  auto found = shapes_.find(*key);
  const bool first = found == shapes_.end();
  if (first) {
    plan.evicted = make_room();
    recency_.push_front(*key);
    found = shapes_.emplace(*key, Shape{false, recency_.begin()}).first;
  } else {
    recency_.splice(recency_.begin(), recency_, found->second.recency);
  }
  Shape& shape = found->second;
  if (shape.captured) {
    plan.action = GraphAction::kReplay;
  } else if (!first || options_.mode == GraphMode::kPrecapture) {
    plan.action = GraphAction::kCapture;
    shape.captured = true;
  }
  return plan;
}

}  // namespace bouquet::tulip
