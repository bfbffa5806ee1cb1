// What a pickled PyTorch state dict says of its tensors; their bytes lie in storages outside the pickle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/tensor/dtype.h"

namespace bouquet::rose {

struct Storage {
  std::string_view key;
  std::optional<DType> dtype;  // none: a type ROSE does not compute with
  uint64_t element_size = 0;   // bytes
  uint64_t elements = 0;       // elements x element_size is no overflow
};

// Elements of a storage: the first at `offset`, the next along dimension d `strides[d]` further on. All lie within it.
struct StridedTensor {
  std::string name;
  Storage storage;
  uint64_t offset = 0;
  std::vector<int64_t> shape, strides;
  uint64_t elements = 0;

  bool is_contiguous() const;  // row by row, without gaps
};

struct StateDict {
  std::vector<StridedTensor> tensors;
  std::map<std::string_view, Storage> storages;  // by key; tensors may share them
  size_t size = 0;                               // bytes of the pickle
};

// The pickle at the front of `bytes`, which must outlive the keys. INVALID_ARGUMENT names the tensor or the global and
// what is wrong with it.
absl::StatusOr<StateDict> read_state_dict(std::span<const std::byte> bytes);

}  // namespace bouquet::rose
