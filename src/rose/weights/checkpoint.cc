// Opens one safetensors file or its shards.
#include "rose/weights/checkpoint.h"

#include <set>

#include "base/hash.h"
#include "base/status.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;

// Names only, no folders: an index from outside must not reach other files.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.find('/') == std::string_view::npos && name != "." && name != "..";
}

absl::StatusOr<std::set<std::string>> shards_of(const fs::path& index) {
  ASSIGN_OR_RETURN(const std::string text, read_file(index));
  simdjson::dom::parser parser;
  simdjson::dom::object map;
  if (parser.parse(text).at_pointer("/weight_map").get(map)) {
    return absl::InvalidArgumentError(fmt::format("{}: no weight_map", index.string()));
  }
  std::set<std::string> shards;
  for (auto [tensor, file] : map) {
    std::string_view name;
    if (file.get(name) || !is_plain_name(name)) {
      return absl::InvalidArgumentError(
          fmt::format("{}: tensor \"{}\" names no file beside it", index.string(), tensor));
    }
    shards.emplace(name);
  }
  return shards;
}

}  // namespace

absl::Status Checkpoint::add(const fs::path& file) {
  ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::open(file));
  absl::StatusOr<TensorMap> tensors = parse_safetensors(mapped.bytes());
  if (!tensors.ok()) {
    return absl::InvalidArgumentError(fmt::format("{}: {}", file.string(), std::string(tensors.status().message())));
  }
  files_.push_back(std::move(mapped));
  for (auto& [name, entry] : *tensors) {
    if (!tensors_.emplace(name, std::move(entry)).second) {
      return absl::InvalidArgumentError(fmt::format("{}: tensor \"{}\" is in two shards", file.string(), name));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Checkpoint> Checkpoint::open(const fs::path& directory) {
  Checkpoint checkpoint;
  checkpoint.directory_ = directory;
  std::error_code ignored;
  if (fs::exists(directory / "model.safetensors.index.json", ignored)) {
    ASSIGN_OR_RETURN(const std::set<std::string> shards, shards_of(directory / "model.safetensors.index.json"));
    for (const std::string& shard : shards) RETURN_IF_ERROR(checkpoint.add(directory / shard));
    return checkpoint;
  }
  if (!fs::exists(directory / "model.safetensors", ignored)) {
    const bool pickled = fs::exists(directory / "pytorch_model.bin", ignored);
    return absl::NotFoundError(fmt::format("{}: no model.safetensors{}", directory.string(),
                                           pickled ? "; it has pytorch_model.bin alone: convert it with safetensors' "
                                                     "convert script or take a revision that has safetensors"
                                                   : ""));
  }
  RETURN_IF_ERROR(checkpoint.add(directory / "model.safetensors"));
  return checkpoint;
}

uint64_t Checkpoint::fingerprint() const {
  uint64_t hash = 0;
  for (const auto& [name, entry] : tensors_) {
    hash = hash_bytes(name, hash);
    hash = hash_mix(hash, entry.dtype ? static_cast<uint64_t>(*entry.dtype) : 255);
    for (int64_t dim : entry.shape) hash = hash_mix(hash, static_cast<uint64_t>(dim));
    hash = hash_bytes(entry.bytes, hash);
  }
  return hash;
}

}  // namespace bouquet::rose
