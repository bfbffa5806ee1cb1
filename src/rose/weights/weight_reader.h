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
#include "rose/weights/weight_store.h"

namespace bouquet::rose {

// Where weights go.
struct WeightPlace {
  Device& device;
  const Kernels& kernels;  // whose layout packed matrices have
  WeightStore& store;      // of what is there already
};

// `dtype`: how packed matrices are stored (f32 or bf16).
class WeightReader {
 public:
  WeightReader(const Checkpoint& checkpoint, const WeightPlace& place, DType dtype);

  // The first of `prefixes` under which the checkpoint has `name` becomes the prefix; NOT_FOUND lists what was tried.
  absl::Status choose_prefix(const std::vector<std::string>& prefixes, std::string_view name);

  bool has(std::string_view name) const;
  absl::StatusOr<std::shared_ptr<Buffer>> vector(std::string_view name, int32_t n);  // f32 [n]
  absl::StatusOr<std::shared_ptr<Buffer>> vectors(const std::vector<std::string>& names,
                                                  int32_t n);  // one after the other
  absl::StatusOr<std::shared_ptr<Buffer>> table(std::string_view name, int32_t rows, int32_t cols);  // f32 [rows][cols]
  absl::StatusOr<PackedMatrix> matrix(std::string_view name, int32_t n, int32_t k);
  absl::StatusOr<PackedMatrix> matrices(const std::vector<std::string>& names, int32_t n,
                                        int32_t k);  // stacked: each [n][k]

  // INVALID_ARGUMENT naming a tensor that nobody took, but for those whose name ends with one of `known_unused` (or
  // starts with it, where it ends in a dot).
  absl::Status check_all_taken(const std::vector<std::string_view>& known_unused) const;

 private:
  absl::StatusOr<const TensorEntry*> take(std::string_view name, const std::vector<int64_t>& shape);
  absl::StatusOr<std::vector<const TensorEntry*>> take_all(const std::vector<std::string>& names,
                                                           const std::vector<int64_t>& shape);
  absl::StatusOr<std::shared_ptr<Buffer>> floats(const std::vector<std::string>& names,
                                                 const std::vector<int64_t>& shape);
  std::string find(std::string_view name) const;
  std::string key(const std::vector<std::string>& names) const;
  const Checkpoint& checkpoint_;
  const WeightPlace place_;
  const DType dtype_;
  std::string prefix_;
  std::set<std::string> taken_;
};

}  // namespace bouquet::rose
