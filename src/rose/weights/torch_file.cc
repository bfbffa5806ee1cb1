// Where the storages lie in either format, and from them the tensors.
#include "rose/weights/torch_file.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "absl/strings/escaping.h"
#include "base/status.h"
#include "fmt/format.h"
#include "rose/weights/byte_reader.h"
#include "rose/weights/pickle.h"
#include "rose/weights/state_dict.h"
#include "rose/weights/strided_copy.h"
#include "rose/weights/zip_entries.h"

namespace bouquet::rose {
namespace {

using Bytes = std::span<const std::byte>;
using StorageBytes = std::map<std::string_view, Bytes>;  // by the storage's key

// The first pickle of the old format is this number, ten bytes of it.
constexpr std::string_view kMagic("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 13);
constexpr size_t kMagicWithin = 32;  // bytes: before it stand the pickle's protocol and maybe a frame
constexpr int64_t kOldVersion = 1001;

absl::Status broken(const std::string& what) { return absl::InvalidArgumentError(what); }

absl::Status storage_broken(std::string_view key, std::string_view what) {
  return broken(fmt::format("storage {} {}", absl::CHexEscape(std::string(key)), what));
}

// ---- The zip archive: NAME/data.pkl, NAME/data/KEY, NAME/byteorder.

absl::StatusOr<std::string> archive_name(const ZipEntries& entries) {
  constexpr std::string_view kPickle = "data.pkl";
  std::string prefix;
  for (const auto& [name, bytes] : entries) {
    if (name.find('/') != name.size() - kPickle.size() - 1 || !name.ends_with(kPickle)) continue;
    if (!prefix.empty()) return broken("a zip archive with two data.pkl");
    prefix = name.substr(0, name.size() - kPickle.size());
  }
  return prefix.empty() ? broken("a zip archive without data.pkl: not made by torch.save")
                        : absl::StatusOr<std::string>(prefix);
}

absl::StatusOr<StorageBytes> zip_storages(const ZipEntries& entries, const std::string& prefix, const StateDict& dict) {
  StorageBytes found;
  for (const auto& [key, storage] : dict.storages) {
    const auto entry = entries.find(fmt::format("{}data/{}", prefix, key));
    if (entry == entries.end()) return storage_broken(key, "is not in the archive");
    const uint64_t size = storage.elements * storage.element_size;
    if (entry->second.size() < size) {
      return storage_broken(key, fmt::format("has {} bytes of {}", entry->second.size(), size));
    }
    found.emplace(key, entry->second.first(size));
  }
  return found;
}

// ---- The old stream: pickles of the magic number, the version, the system, the dict and the storages' keys; then each
// storage, its number of elements before it.

// Takes the next pickle, whatever its value.
absl::StatusOr<Pickle> take_pickle(Bytes* rest) {
  ASSIGN_OR_RETURN(Pickle pickle, read_pickle(*rest, {}));
  *rest = rest->subspan(pickle.size);
  return pickle;
}

absl::Status take_preamble(Bytes* rest) {
  RETURN_IF_ERROR(take_pickle(rest).status());  // the magic number
  ASSIGN_OR_RETURN(const Pickle version, take_pickle(rest));
  if (version.top().kind != PickleKind::kInt || version.top().integer != kOldVersion) return broken("unknown version");
  ASSIGN_OR_RETURN(const Pickle system, take_pickle(rest));
  const PickleValue& facts = system.top();
  for (size_t i = 0; facts.kind == PickleKind::kDict && i < facts.items.size(); i += 2) {
    const PickleValue &name = system.item(facts, i), &value = system.item(facts, i + 1);
    if (name.text == "little_endian" && value.kind == PickleKind::kBool) {
      return value.integer ? absl::OkStatus() : broken("numbers are big-endian");
    }
  }
  return broken("does not say whether its numbers are little-endian");
}

absl::StatusOr<StorageBytes> take_storages(Bytes rest, const StateDict& dict) {
  ASSIGN_OR_RETURN(const Pickle keys, take_pickle(&rest));
  if (keys.top().kind != PickleKind::kList) return broken("no list of storages");
  ByteReader reader(rest);
  StorageBytes found;
  for (size_t i = 0; i < keys.top().items.size(); ++i) {
    const std::string_view key = keys.item(keys.top(), i).text;
    const auto storage = dict.storages.find(key);
    if (storage == dict.storages.end()) return storage_broken(key, "belongs to no tensor");
    const auto elements = reader.take_number<uint64_t>();
    if (elements && *elements != storage->second.elements) {
      return storage_broken(key, fmt::format("has {} elements of {}", *elements, storage->second.elements));
    }
    const auto bytes = elements ? reader.take_bytes(*elements * storage->second.element_size) : std::nullopt;
    if (!bytes) return storage_broken(key, "is cut short");
    found.emplace(storage->first, *bytes);
  }
  return found;
}

// ---- Tensors.

// `copyable`: bytes that may still be copied.
absl::Status add_tensor(const StridedTensor& tensor, const StorageBytes& storages, size_t* copyable,
                        TorchTensors* out) {
  const auto found = storages.find(tensor.storage.key);
  if (found == storages.end()) return storage_broken(tensor.storage.key, "is not in the file");
  const uint64_t element = tensor.storage.element_size, size = tensor.elements * element;
  const Bytes from = found->second.subspan(tensor.offset * element);
  TensorEntry entry{tensor.storage.dtype, tensor.shape, {}};
  if (tensor.is_contiguous()) {
    entry.bytes = from.first(size);
  } else {
    if (tensor.elements > tensor.storage.elements) return broken("expanded: its elements overlap");
    if (size > *copyable) return broken("too many tensors that do not lie row by row");
    *copyable -= size;
    entry.bytes = out->copies.emplace_back(strided_copy(from, element, tensor.shape, tensor.strides));
  }
  out->tensors.emplace(tensor.name, std::move(entry));
  return absl::OkStatus();
}

absl::StatusOr<TorchTensors> tensors_of(const StateDict& dict, const StorageBytes& storages, size_t copyable) {
  TorchTensors out;
  for (const StridedTensor& tensor : dict.tensors) {
    const absl::Status status = add_tensor(tensor, storages, &copyable, &out);
    if (!status.ok()) {
      return broken(
          fmt::format("tensor \"{}\": {}", absl::Utf8SafeCHexEscape(tensor.name), std::string(status.message())));
    }
  }
  return out;
}

absl::StatusOr<TorchTensors> parse_archive(Bytes file) {
  ASSIGN_OR_RETURN(const ZipEntries entries, zip_entries(file));
  ASSIGN_OR_RETURN(const std::string prefix, archive_name(entries));
  const auto order = entries.find(prefix + "byteorder");  // not in files of before 2.1
  if (order != entries.end() && as_text(order->second) != "little") return broken("numbers are not little-endian");
  ASSIGN_OR_RETURN(const StateDict dict, read_state_dict(entries.at(prefix + "data.pkl")));
  ASSIGN_OR_RETURN(const StorageBytes storages, zip_storages(entries, prefix, dict));
  return tensors_of(dict, storages, file.size());
}

absl::StatusOr<TorchTensors> parse_stream(Bytes file) {
  Bytes rest = file;
  RETURN_IF_ERROR(take_preamble(&rest));
  ASSIGN_OR_RETURN(const StateDict dict, read_state_dict(rest));
  ASSIGN_OR_RETURN(const StorageBytes storages, take_storages(rest.subspan(dict.size), dict));
  return tensors_of(dict, storages, file.size());
}

bool is_stream(Bytes file) {
  return as_text(file.first(std::min(kMagicWithin, file.size()))).find(kMagic) != std::string_view::npos;
}

}  // namespace

bool is_torch_file(Bytes file) { return is_zip(file) || is_stream(file); }

absl::StatusOr<TorchTensors> parse_torch_file(Bytes file) {
  absl::StatusOr<TorchTensors> tensors = is_zip(file) ? parse_archive(file) : parse_stream(file);
  if (tensors.ok()) return tensors;
  return broken(fmt::format("PyTorch file: {}", std::string(tensors.status().message())));
}

}  // namespace bouquet::rose
