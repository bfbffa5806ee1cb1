// All tensors of a model directory or of one file, in safetensors, in PyTorch's own format or in GGUF.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/file.h"
#include "rose/weights/safetensors.h"

namespace bouquet::rose {

class Checkpoint {
 public:
  // The first that the directory holds of model.safetensors.index.json (its shards), model.safetensors,
  // pytorch_model.bin.index.json and pytorch_model.bin; NOT_FOUND where it holds none. A file is open_file()'s.
  static absl::StatusOr<Checkpoint> open(const std::filesystem::path& directory);
  // One file of any format, whatever its name.
  static absl::StatusOr<Checkpoint> open_file(const std::filesystem::path& file);

  const std::filesystem::path& path() const { return path_; }  // what was opened
  const TensorMap& tensors() const { return tensors_; }
  // What was read of a tensor and will hardly be again: where a file has it, it need not stay in memory.
  void release(std::span<const std::byte> part) const;
  // Hash of every tensor's name, shape, type and bytes: the same whatever files they came from.
  uint64_t fingerprint() const;

 private:
  explicit Checkpoint(const std::filesystem::path& path) : path_(path) {}
  absl::Status add(const std::filesystem::path& file);
  absl::Status add_shards(const std::filesystem::path& index);
  absl::StatusOr<TensorMap> parse(std::span<const std::byte> file);

  std::filesystem::path path_;
  std::vector<MappedFile> files_;
  std::vector<std::vector<std::byte>> copies_;  // what the files do not hold as it is needed
  TensorMap tensors_;
};

}  // namespace bouquet::rose
