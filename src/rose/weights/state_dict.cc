// {name: _rebuild_tensor_v2(storage, offset, shape, strides, ...)}, each number checked against the others.
#include "rose/weights/state_dict.h"

#include <algorithm>
#include <array>
#include <set>

#include "absl/strings/escaping.h"
#include "base/status.h"
#include "base/utf8.h"
#include "fmt/format.h"
#include "rose/weights/pickle.h"

namespace bouquet::rose {
namespace {

constexpr size_t kMaxTensors = 100'000;
constexpr size_t kMaxNameBytes = 1000;
constexpr size_t kMaxDimensions = 64;

constexpr std::string_view kRebuildTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils._rebuild_parameter";

struct StorageType {
  std::string_view name;
  std::optional<DType> dtype;
  uint64_t size;  // bytes an element
};

constexpr StorageType kStorageTypes[] = {
    {"torch.FloatStorage", DType::kF32, 4},     {"torch.HalfStorage", DType::kF16, 2},
    {"torch.BFloat16Storage", DType::kBF16, 2}, {"torch.IntStorage", DType::kI32, 4},
    {"torch.ByteStorage", DType::kU8, 1},       {"torch.DoubleStorage", DType::kF64, 8},
    {"torch.LongStorage", DType::kI64, 8},      {"torch.ShortStorage", std::nullopt, 2},
    {"torch.CharStorage", DType::kI8, 1},       {"torch.BoolStorage", std::nullopt, 1}};

constexpr auto kAllowedGlobals = [] {
  std::array<std::string_view, std::size(kStorageTypes) + 2> names;
  std::transform(std::begin(kStorageTypes), std::end(kStorageTypes), names.begin(),
                 [](auto& type) { return type.name; });
  names[std::size(kStorageTypes)] = kRebuildTensor;
  names[std::size(kStorageTypes) + 1] = kRebuildParameter;
  return names;
}();

absl::Status broken(const std::string& what) { return absl::InvalidArgumentError(what); }

bool is_count(const PickleValue& value) { return value.kind == PickleKind::kInt && value.integer >= 0; }

// ("storage", type, key, location, elements), and in old files a view, which is None.
absl::StatusOr<Storage> read_storage(const Pickle& pickle, const PickleValue& persistent) {
  const PickleValue& id = pickle.item(persistent, 0);
  if (id.kind != PickleKind::kTuple || id.items.size() < 5 || id.items.size() > 6) {
    return broken("a storage's id is no tuple of five or six");
  }
  const PickleValue &kind = pickle.item(id, 0), &type = pickle.item(id, 1), &key = pickle.item(id, 2);
  const PickleValue& elements = pickle.item(id, 4);
  if (kind.kind != PickleKind::kText || kind.text != "storage" || type.kind != PickleKind::kGlobal ||
      key.kind != PickleKind::kText || !is_count(elements)) {
    return broken("a storage's id is not (\"storage\", type, key, location, elements)");
  }
  if (id.items.size() == 6 && pickle.item(id, 5).kind != PickleKind::kNone) {
    return broken(fmt::format("storage {} is a view of another", absl::CHexEscape(std::string(key.text))));
  }
  const auto* known = std::find_if(std::begin(kStorageTypes), std::end(kStorageTypes),
                                   [&](const StorageType& each) { return each.name == type.text; });
  if (known == std::end(kStorageTypes)) return broken(fmt::format("{} is no storage", type.text));
  const Storage storage{key.text, known->dtype, known->size, static_cast<uint64_t>(elements.integer)};
  if (storage.elements > INT64_MAX / storage.element_size) return broken("impossible size of a storage");
  return storage;
}

absl::StatusOr<std::map<std::string_view, Storage>> read_storages(const Pickle& pickle) {
  std::map<std::string_view, Storage> storages;
  for (const PickleValue& value : pickle.values) {
    if (value.kind != PickleKind::kPersistent) continue;
    ASSIGN_OR_RETURN(const Storage storage, read_storage(pickle, value));
    const Storage& first = storages.emplace(storage.key, storage).first->second;
    if (first.dtype != storage.dtype || first.element_size != storage.element_size ||
        first.elements != storage.elements) {
      return broken(fmt::format("storage {} has two types or sizes", absl::CHexEscape(std::string(storage.key))));
    }
  }
  return storages;
}

// A tuple of counts: a shape, or strides, which may be larger.
bool read_counts(const Pickle& pickle, const PickleValue& tuple, int64_t most, std::vector<int64_t>* counts) {
  if (tuple.kind != PickleKind::kTuple || tuple.items.size() > kMaxDimensions) return false;
  for (size_t i = 0; i < tuple.items.size(); ++i) {
    const PickleValue& count = pickle.item(tuple, i);
    if (!is_count(count) || count.integer > most) return false;
    counts->push_back(count.integer);
  }
  return true;
}

absl::Status check_extent(StridedTensor* tensor) {
  tensor->elements = 1;
  uint64_t last = tensor->offset;  // the furthest element
  bool outside = false;
  for (size_t d = 0; d < tensor->shape.size(); ++d) {
    const auto size = static_cast<uint64_t>(tensor->shape[d]);
    if (__builtin_mul_overflow(tensor->elements, size, &tensor->elements)) return broken("impossible shape");
    uint64_t way = 0;
    outside |= size > 0 && (__builtin_mul_overflow(size - 1, static_cast<uint64_t>(tensor->strides[d]), &way) ||
                            __builtin_add_overflow(last, way, &last));
  }
  if (tensor->elements > INT64_MAX / tensor->storage.element_size) return broken("impossible shape");
  outside |= tensor->elements == 0 ? tensor->offset > tensor->storage.elements : last >= tensor->storage.elements;
  return outside ? broken(fmt::format("lies outside its storage of {} elements", tensor->storage.elements))
                 : absl::OkStatus();
}

// Its arguments: storage, offset, shape, strides, requires_grad, hooks and maybe metadata (conjugated, negated ...).
absl::StatusOr<StridedTensor> read_tensor(const Pickle& pickle, const PickleValue& call) {
  if (call.items.size() < 6 || call.items.size() > 7) return broken("_rebuild_tensor_v2 takes six or seven arguments");
  const PickleValue &storage = pickle.item(call, 0), &offset = pickle.item(call, 1);
  if (storage.kind != PickleKind::kPersistent) return broken("has no storage");
  StridedTensor tensor;
  ASSIGN_OR_RETURN(tensor.storage, read_storage(pickle, storage));
  if (!is_count(offset)) return broken("impossible offset in its storage");
  tensor.offset = static_cast<uint64_t>(offset.integer);
  if (!read_counts(pickle, pickle.item(call, 2), INT32_MAX, &tensor.shape)) return broken("impossible shape");
  if (!read_counts(pickle, pickle.item(call, 3), INT64_MAX, &tensor.strides)) return broken("impossible strides");
  if (tensor.shape.size() != tensor.strides.size()) return broken("shape and strides disagree");
  if (call.items.size() == 7) {
    const PickleValue& metadata = pickle.item(call, 6);
    const bool plain = metadata.kind == PickleKind::kNone || metadata.kind == PickleKind::kDict;
    if (!plain || !metadata.items.empty()) return broken("has metadata (conjugated or negated, say)");
  }
  RETURN_IF_ERROR(check_extent(&tensor));
  return tensor;
}

absl::StatusOr<StridedTensor> read_entry(const Pickle& pickle, const PickleValue& entry) {
  const PickleValue* value = &entry;
  if (value->kind == PickleKind::kCall && value->text == kRebuildParameter && !value->items.empty()) {
    value = &pickle.item(*value, 0);
  }
  if (value->kind != PickleKind::kCall || value->text != kRebuildTensor) return broken("is no tensor");
  return read_tensor(pickle, *value);
}

absl::Status check_name(const PickleValue& name) {
  const bool good = name.kind == PickleKind::kText && !name.text.empty() && name.text.size() <= kMaxNameBytes &&
                    is_valid_utf8(name.text);
  return good ? absl::OkStatus() : broken(fmt::format("a name is no text of 1 to {} bytes", kMaxNameBytes));
}

}  // namespace

bool StridedTensor::is_contiguous() const {
  uint64_t step = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] != 1 && static_cast<uint64_t>(strides[d]) != step) return elements == 0;
    step *= static_cast<uint64_t>(shape[d]);
  }
  return true;
}

absl::StatusOr<StateDict> read_state_dict(std::span<const std::byte> bytes) {
  ASSIGN_OR_RETURN(const Pickle pickle, read_pickle(bytes, kAllowedGlobals));
  StateDict dict{.size = pickle.size};
  ASSIGN_OR_RETURN(dict.storages, read_storages(pickle));
  const PickleValue& top = pickle.top();
  if (top.kind != PickleKind::kDict) return broken("holds no dict of tensors");
  if (top.items.size() / 2 > kMaxTensors) return broken(fmt::format("more than {} tensors", kMaxTensors));
  std::set<std::string_view> names;
  for (size_t i = 0; i < top.items.size(); i += 2) {
    const PickleValue& name = pickle.item(top, i);
    RETURN_IF_ERROR(check_name(name));
    absl::StatusOr<StridedTensor> tensor = read_entry(pickle, pickle.item(top, i + 1));
    if (!tensor.ok() || !names.insert(name.text).second) {
      return broken(fmt::format("tensor \"{}\": {}", absl::Utf8SafeCHexEscape(std::string(name.text)),
                                tensor.ok() ? "named twice" : std::string(tensor.status().message())));
    }
    tensor->name = name.text;
    dict.tensors.push_back(*std::move(tensor));
  }
  return dict;
}

}  // namespace bouquet::rose
