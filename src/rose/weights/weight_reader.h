// Takes named tensors out of a checkpoint into device memory, converted and packed, and tells which were left over.
// Names are tried under the prefix the checkpoint was saved with ("", "bert.", "model." ...) and with the old
// LayerNorm names (gamma, beta).
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rose/kernels/kernels.h"
#include "rose/weights/checkpoint.h"

namespace bouquet::rose {

class WeightReader {
 public:
  // `dtype`: how packed matrices are stored (f32 or bf16). `prefix` goes before every name asked for.
  WeightReader(const Checkpoint& checkpoint, Device& device, const Kernels& kernels, DType dtype);

  // The first of `prefixes` under which the checkpoint has `name` becomes the prefix; NOT_FOUND lists what was tried.
  absl::Status choose_prefix(const std::vector<std::string>& prefixes, std::string_view name);

  bool has(std::string_view name) const;
  absl::StatusOr<std::unique_ptr<Buffer>> vector(std::string_view name, int32_t n);  // f32 [n]
  absl::StatusOr<std::unique_ptr<Buffer>> vectors(const std::vector<std::string>& names,
                                                  int32_t n);  // one after the other
  absl::StatusOr<std::unique_ptr<Buffer>> table(std::string_view name, int32_t rows, int32_t cols);  // f32 [rows][cols]
  absl::StatusOr<PackedMatrix> matrix(std::string_view name, int32_t n, int32_t k);
  absl::StatusOr<PackedMatrix> matrices(const std::vector<std::string>& names, int32_t n,
                                        int32_t k);  // stacked: each [n][k]

  // INVALID_ARGUMENT naming a tensor that nobody took, but for those whose name ends with one of `known_unused` (or
  // starts with it, where it ends in a dot).
  absl::Status check_all_taken(const std::vector<std::string_view>& known_unused) const;

 private:
  absl::StatusOr<const TensorEntry*> take(std::string_view name, const std::vector<int64_t>& shape);
  std::string find(std::string_view name) const;
  const Checkpoint& checkpoint_;
  Device& device_;
  const Kernels& kernels_;
  const DType dtype_;
  std::string prefix_;
  std::set<std::string> taken_;
};

}  // namespace bouquet::rose
