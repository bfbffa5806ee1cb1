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

// Rows of a tensor, named without suffix: all of them, or `rows` from `begin` on.
struct Part {
  Part(std::string name) : name(std::move(name)) {}
  Part(const char* name) : name(name) {}
  Part(std::string name, int32_t begin, int32_t rows) : name(std::move(name)), begin(begin), rows(rows) {}
  std::string name;
  int32_t begin = 0;
  int32_t rows = 0;  // 0: all
};
// Parts one under the other, as one matrix or vector.
using Stack = std::vector<Part>;

// A table that is looked up row by row: [rows][cols].
struct Table {
  std::shared_ptr<Buffer> data;
  DType dtype = DType::kF32;  // or bf16
  int32_t cols = 0;
  Tensor view() const { return {data->data(), dtype, cols, cols}; }
};

// The values of a vector; null where there is none.
inline const float* floats_of(const std::shared_ptr<Buffer>& buffer) {
  return buffer ? static_cast<const float*>(buffer->data()) : nullptr;
}

// `dtype`: how packed matrices and words are stored (f32 or bf16).
class WeightReader {
 public:
  WeightReader(const Checkpoint& checkpoint, const WeightPlace& place, DType dtype);

  // The first of `prefixes` under which the checkpoint has `name` becomes the prefix; NOT_FOUND lists what was tried.
  absl::Status choose_prefix(const std::vector<std::string>& prefixes, std::string_view name);

  // From here on matrices NAME.weight that the checkpoint keeps as NAME.parametrizations.weight.original (PyTorch's
  // parametrisation) have adapter `index` of it added, times `scale`; -1: none. An adapter's tensors lie beside the
  // original: .0.lora_A and .0.lora_B, one slice a task.
  void use_adapter(int32_t index, float scale);

  const std::string& prefix() const { return prefix_; }
  const Kernels& kernels() const { return place_.kernels; }
  bool has(std::string_view name) const;
  // The first of the tensor's dimensions; NOT_FOUND where there is none.
  absl::StatusOr<int32_t> rows_of(const std::string& name) const;
  // All values of a tensor of any type of number, in f32.
  absl::StatusOr<std::vector<float>> values(const std::string& name);
  // What is made of the tensor, kept under its name.
  absl::StatusOr<std::shared_ptr<Buffer>> derived(const std::string& name,
                                                  absl::FunctionRef<absl::StatusOr<std::unique_ptr<Buffer>>()> make);
  // f32 [n], `offset` added to each value.
  absl::StatusOr<std::shared_ptr<Buffer>> vector(const std::string& name, int32_t n, float offset = 0);
  // f32 [n]: the parts' NAME + suffix one after the other.
  absl::StatusOr<std::shared_ptr<Buffer>> vector(const Stack& parts, const std::string& suffix, int32_t n);
  // [n][k]: the parts' NAME + suffix, each with k columns.
  absl::StatusOr<PackedMatrix> matrix(const Stack& parts, const std::string& suffix, int32_t n, int32_t k);
  // Row `plus` less row `minus` (-1: none) of a table with `cols` columns, as an f32 matrix [1][cols].
  absl::StatusOr<PackedMatrix> row_difference(const std::string& name, int32_t plus, int32_t minus, int32_t cols);
  absl::StatusOr<Table> table(const std::string& name, int32_t rows, int32_t cols);  // f32
  absl::StatusOr<Table> words(const std::string& name, int32_t rows, int32_t cols);  // as `dtype`

  // INVALID_ARGUMENT naming a tensor that nobody took, but for those whose name ends with one of `known_unused` (or
  // starts with it, where it ends in a dot).
  absl::Status check_all_taken(const std::vector<std::string_view>& known_unused) const;

 private:
  // Rows of a tensor in the file.
  struct Source {
    const TensorEntry* entry;
    int64_t first;  // value
    int64_t count;  // of values
    std::string name;
  };
  absl::StatusOr<Source> take(const Part& part, const std::string& suffix, int32_t cols);
  absl::StatusOr<std::vector<Source>> take_all(const Stack& parts, const std::string& suffix, int32_t rows,
                                               int32_t cols);
  absl::StatusOr<Table> table_as(DType dtype, const std::string& name, int32_t rows, int32_t cols);
  absl::Status copy_as_f32(const std::vector<Source>& sources, float* out) const;
  absl::Status add_adapter(const Source& source, float* out) const;
  std::string find(std::string_view name) const;  // its name in the file; "": not there
  absl::StatusOr<std::string> find_or_fail(std::string_view name) const;
  absl::StatusOr<std::unique_ptr<Buffer>> as_f32(const std::vector<Source>& sources, int64_t count) const;
  std::string key(const Stack& parts, std::string_view suffix) const;
  const Checkpoint& checkpoint_;
  const WeightPlace place_;
  const DType dtype_;
  std::string prefix_;
  int32_t adapter_ = -1;
  float adapter_scale_ = 1;
  std::set<std::string> taken_;
};

}  // namespace bouquet::rose
