// The values, the stack and the memo of a pickle as it is read. Memory is bounded by limits of its own, whatever the
// pickle says. Errors read on from "pickle ...".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/weights/pickle.h"

namespace bouquet::rose {

class PickleStack {
 public:
  static constexpr std::string_view kOrderedDict = "collections.OrderedDict";

  absl::Status push(PickleValue value);
  absl::StatusOr<std::vector<uint32_t>> pop(size_t count);  // never from below the last mark
  absl::Status open_mark();
  absl::StatusOr<std::vector<uint32_t>> pop_to_mark();  // closes it
  const PickleValue& value(uint32_t id) const { return values_[id]; }

  absl::Status remember(uint32_t index);  // what is on top
  absl::Status remember_next() { return remember(static_cast<uint32_t>(memo_.size())); }
  absl::Status recall(uint32_t index);

  absl::Status push_tuple(std::vector<uint32_t> items);
  // To the list or dict that is on top.
  absl::Status add(PickleKind kind, const std::vector<uint32_t>& items);
  absl::Status call();  // takes a global and a tuple, leaves a kCall; of OrderedDict, a kDict
  absl::Status
  set_state();  // takes a dict's attributes, which say nothing of tensors (a module's _metadata), and drops them
  absl::Status persistent();  // takes an id

  // The values, when one alone is on the stack.
  absl::StatusOr<Pickle> finish() &&;

 private:
  size_t available() const { return stack_.size() - (marks_.empty() ? 0 : marks_.back()); }
  absl::Status charge(size_t count);
  absl::Status push_id(uint32_t id);
  absl::Status ordered_dict(const std::vector<uint32_t>& arguments);

  size_t charged_ = 0;  // values and items
  std::vector<PickleValue> values_;
  std::vector<uint32_t> stack_;
  std::vector<size_t> marks_;  // heights of the stack
  std::unordered_map<uint32_t, uint32_t> memo_;
};

}  // namespace bouquet::rose
