// Segments are joined in place, from the side to which they are merged.
#include "tokenizer/pre_tokenizers/split_behavior.h"

#include <algorithm>

#include "base/status.h"

namespace bouquet::tokenizer {
namespace {

// Each match goes into the segment before it, unless that is a match as well.
void merge_with_previous(std::vector<Segment>* segments) {
  size_t kept = 0;
  bool after_match = false;
  for (const Segment segment : *segments) {
    if (segment.match && !after_match && kept > 0) {
      (*segments)[kept - 1].span.end = segment.span.end;
    } else {
      (*segments)[kept++] = segment;
    }
    after_match = segment.match;
  }
  segments->resize(kept);
}

void merge_with_next(std::vector<Segment>* segments) {
  size_t kept = segments->size();
  bool before_match = false;
  for (size_t i = segments->size(); i-- > 0;) {
    const Segment segment = (*segments)[i];
    if (segment.match && !before_match && kept < segments->size()) {
      (*segments)[kept].span.begin = segment.span.begin;
    } else {
      (*segments)[--kept] = segment;
    }
    before_match = segment.match;
  }
  segments->erase(segments->begin(), segments->begin() + static_cast<std::ptrdiff_t>(kept));
}

void merge_matches(std::vector<Segment>* segments) {
  size_t kept = 0;
  bool before = false;
  for (const Segment segment : *segments) {
    if (segment.match == before && kept > 0) {
      (*segments)[kept - 1].span.end = segment.span.end;
    } else {
      (*segments)[kept++] = segment;
    }
    before = segment.match;
  }
  segments->resize(kept);
}

}  // namespace

absl::StatusOr<SplitBehavior> split_behavior(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view name, json.text("behavior"));
  if (name == "Removed") return SplitBehavior::kRemoved;
  if (name == "Isolated") return SplitBehavior::kIsolated;
  if (name == "MergedWithPrevious") return SplitBehavior::kMergedWithPrevious;
  if (name == "MergedWithNext") return SplitBehavior::kMergedWithNext;
  if (name == "Contiguous") return SplitBehavior::kContiguous;
  return json_error(json.place_of("behavior"),
                    "is not Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
}

void apply_behavior(SplitBehavior behavior, std::vector<Segment>* segments, std::vector<Piece>* words) {
  if (behavior == SplitBehavior::kMergedWithPrevious) merge_with_previous(segments);
  if (behavior == SplitBehavior::kMergedWithNext) merge_with_next(segments);
  if (behavior == SplitBehavior::kContiguous) merge_matches(segments);
  for (const Segment& segment : *segments) {
    if (behavior == SplitBehavior::kRemoved && segment.match) continue;
    if (segment.span.begin < segment.span.end) words->push_back({segment.span});
  }
}

}  // namespace bouquet::tokenizer
