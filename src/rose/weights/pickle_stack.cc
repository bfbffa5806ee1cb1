// Ids into one growing list of values: nothing is nested in memory, so nothing recurses.
#include "rose/weights/pickle_stack.h"

#include <utility>

#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::rose {
namespace {

// A tensor takes about twenty values and as many items.
constexpr size_t kMaxValues = 4'000'000;  // values and items together
constexpr size_t kMaxStack = 1'000'000;
constexpr size_t kMaxMemo = 2'000'000;
constexpr size_t kMaxMarks = 64;

absl::Status broken(const std::string& what) { return absl::InvalidArgumentError(what); }

bool is_pair(const PickleValue& value) {
  return (value.kind == PickleKind::kList || value.kind == PickleKind::kTuple) && value.items.size() == 2;
}

}  // namespace

absl::Status PickleStack::charge(size_t count) {
  charged_ += count;
  return charged_ > kMaxValues ? broken("has too many values") : absl::OkStatus();
}

absl::Status PickleStack::push_id(uint32_t id) {
  if (stack_.size() == kMaxStack) return broken("stacks too many values");
  stack_.push_back(id);
  return absl::OkStatus();
}

absl::Status PickleStack::push(PickleValue value) {
  RETURN_IF_ERROR(charge(1 + value.items.size()));
  values_.push_back(std::move(value));
  return push_id(static_cast<uint32_t>(values_.size() - 1));
}

absl::StatusOr<std::vector<uint32_t>> PickleStack::pop(size_t count) {
  if (available() < count) return broken("takes more than is on its stack");
  std::vector<uint32_t> ids(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
  stack_.resize(stack_.size() - count);
  return ids;
}

absl::Status PickleStack::open_mark() {
  if (marks_.size() == kMaxMarks) return broken("is nested too deep");
  marks_.push_back(stack_.size());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<uint32_t>> PickleStack::pop_to_mark() {
  if (marks_.empty()) return broken("takes up to a mark that it has not set");
  ASSIGN_OR_RETURN(std::vector<uint32_t> ids, pop(available()));
  marks_.pop_back();
  return ids;
}

absl::Status PickleStack::remember(uint32_t index) {
  if (available() == 0) return broken("remembers the top of an empty stack");
  memo_[index] = stack_.back();
  return memo_.size() > kMaxMemo ? broken("remembers too many values") : absl::OkStatus();
}

absl::Status PickleStack::recall(uint32_t index) {
  const auto found = memo_.find(index);
  return found == memo_.end() ? broken(fmt::format("recalls {}, which it never remembered", index))
                              : push_id(found->second);
}

absl::Status PickleStack::push_tuple(std::vector<uint32_t> items) {
  return push({.kind = PickleKind::kTuple, .items = std::move(items)});
}

absl::Status PickleStack::add(PickleKind kind, const std::vector<uint32_t>& items) {
  if (available() == 0 || values_[stack_.back()].kind != kind) return broken("adds items to what is no list or dict");
  if (kind == PickleKind::kDict && items.size() % 2 != 0) return broken("sets a key without a value");
  RETURN_IF_ERROR(charge(items.size()));
  std::vector<uint32_t>& all = values_[stack_.back()].items;
  all.insert(all.end(), items.begin(), items.end());
  return absl::OkStatus();
}

absl::Status PickleStack::call() {
  ASSIGN_OR_RETURN(const std::vector<uint32_t> both, pop(2));
  const PickleValue &callable = values_[both[0]], &arguments = values_[both[1]];
  if (callable.kind != PickleKind::kGlobal) return broken("calls what is no global");
  if (arguments.kind != PickleKind::kTuple) return broken(fmt::format("calls {} without a tuple", callable.text));
  if (callable.text == kOrderedDict) return ordered_dict(arguments.items);
  return push({.kind = PickleKind::kCall, .text = callable.text, .items = arguments.items});
}

// OrderedDict(), or with one list of pairs, as Python 2 writes it.
absl::Status PickleStack::ordered_dict(const std::vector<uint32_t>& arguments) {
  PickleValue dict{.kind = PickleKind::kDict};
  if (arguments.empty()) return push(std::move(dict));
  const PickleValue& pairs = values_[arguments[0]];
  if (arguments.size() > 1 || pairs.kind != PickleKind::kList) return broken("calls OrderedDict without a list");
  for (const uint32_t id : pairs.items) {
    const PickleValue& pair = values_[id];
    if (!is_pair(pair)) return broken("calls OrderedDict with what are no pairs");
    dict.items.insert(dict.items.end(), pair.items.begin(), pair.items.end());
  }
  return push(std::move(dict));
}

absl::Status PickleStack::set_state() {
  RETURN_IF_ERROR(pop(1).status());
  if (available() == 0 || values_[stack_.back()].kind != PickleKind::kDict) {
    return broken("sets attributes of what is no dict");
  }
  return absl::OkStatus();
}

absl::Status PickleStack::persistent() {
  ASSIGN_OR_RETURN(std::vector<uint32_t> id, pop(1));
  return push({.kind = PickleKind::kPersistent, .items = std::move(id)});
}

absl::StatusOr<Pickle> PickleStack::finish() && {
  if (!marks_.empty() || stack_.size() != 1) return broken("does not end with one value");
  return Pickle{std::move(values_), stack_.back(), 0};
}

}  // namespace bouquet::rose
