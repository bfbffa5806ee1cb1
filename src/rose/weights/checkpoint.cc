// Opens files and shards, and tells their format.
#include "rose/weights/checkpoint.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/status.h"
#include "fmt/format.h"
#include "rose/weights/gguf.h"
#include "rose/weights/gguf_tensors.h"
#include "rose/weights/torch_file.h"
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

// The format is told by the content: any has been seen under any name.
absl::StatusOr<TensorMap> Checkpoint::parse(std::span<const std::byte> file) {
  const auto keep = [this](auto parsed) {
    std::move(parsed.copies.begin(), parsed.copies.end(), std::back_inserter(copies_));
    return std::move(parsed.tensors);
  };
  if (is_torch_file(file)) {
    ASSIGN_OR_RETURN(TorchTensors torch, parse_torch_file(file));
    return keep(std::move(torch));
  }
  if (is_gguf(file)) {
    ASSIGN_OR_RETURN(GgufTensors gguf, parse_gguf_tensors(file));
    return keep(std::move(gguf));
  }
  return parse_safetensors(file);
}

absl::Status Checkpoint::add(const fs::path& file) {
  ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::open(file));
  absl::StatusOr<TensorMap> tensors = parse(mapped.bytes());
  if (!tensors.ok()) return about(file.string(), tensors.status());
  files_.push_back(std::move(mapped));
  for (auto& [name, entry] : *tensors) {
    if (!tensors_.emplace(name, std::move(entry)).second) {
      return absl::InvalidArgumentError(fmt::format("{}: tensor \"{}\" is in two shards", file.string(), name));
    }
  }
  return absl::OkStatus();
}

absl::Status Checkpoint::add_shards(const fs::path& index) {
  ASSIGN_OR_RETURN(const std::set<std::string> shards, shards_of(index));
  for (const std::string& shard : shards) RETURN_IF_ERROR(add(index.parent_path() / shard));
  return absl::OkStatus();
}

absl::StatusOr<Checkpoint> Checkpoint::open_file(const fs::path& file) {
  Checkpoint checkpoint(file);
  RETURN_IF_ERROR(checkpoint.add(file));
  return checkpoint;
}

absl::StatusOr<Checkpoint> Checkpoint::open(const fs::path& directory) {
  std::error_code ignored;
  if (fs::is_regular_file(directory, ignored)) return open_file(directory);
  Checkpoint checkpoint(directory);
  for (const char* name : {"model.safetensors", "pytorch_model.bin"}) {
    const fs::path file = directory / name, index = directory / fmt::format("{}.index.json", name);
    const bool sharded = file_exists(index);
    if (!sharded && !file_exists(file)) continue;
    RETURN_IF_ERROR(sharded ? checkpoint.add_shards(index) : checkpoint.add(file));
    return checkpoint;
  }
  return absl::NotFoundError(fmt::format(
      "{}: neither model.safetensors nor pytorch_model.bin, nor an index of their shards", directory.string()));
}

void Checkpoint::release(std::span<const std::byte> part) const {
  for (const MappedFile& file : files_) file.release(part);
}

uint64_t Checkpoint::fingerprint() const {
  uint64_t hash = 0;
  for (const auto& [name, entry] : tensors_) {
    hash = hash_bytes(name, hash);
    hash = hash_mix(hash, entry.dtype ? static_cast<uint64_t>(*entry.dtype) : 255);
    if (entry.blocks) hash = hash_mix(hash, entry.blocks->id);
    for (int64_t dim : entry.shape) hash = hash_mix(hash, static_cast<uint64_t>(dim));
    hash = hash_bytes(entry.bytes, hash);
    release(entry.bytes);
  }
  return hash;
}

}  // namespace bouquet::rose
