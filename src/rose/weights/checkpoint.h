// All tensors of a model directory: model.safetensors, or the shards that model.safetensors.index.json names.
#pragma once

#include <filesystem>
#include <vector>

#include "absl/status/statusor.h"
#include "base/file.h"
#include "rose/weights/safetensors.h"

namespace bouquet::rose {

class Checkpoint {
 public:
  // NOT_FOUND where the directory holds no safetensors; the message says what it holds instead.
  static absl::StatusOr<Checkpoint> open(const std::filesystem::path& directory);

  const std::filesystem::path& directory() const { return directory_; }
  const TensorMap& tensors() const { return tensors_; }
  // Hash of every tensor's name, shape, type and bytes.
  uint64_t fingerprint() const;

 private:
  absl::Status add(const std::filesystem::path& file);
  std::filesystem::path directory_;
  std::vector<MappedFile> files_;
  TensorMap tensors_;
};

}  // namespace bouquet::rose
