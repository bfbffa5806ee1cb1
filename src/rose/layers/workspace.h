// Activations: matrices of a fixed number of rows in device memory, allocated once and reused by every layer and every
// batch (a stream runs one forward at a time).
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/device/device.h"
#include "rose/tensor/tensor.h"

namespace bouquet::rose {

class Workspace {
 public:
  explicit Workspace(Device& device) : device_(device) {}
  // f32 [rows][cols]; rows are padded so that they do not all fall into one cache set.
  absl::StatusOr<Tensor> matrix(int64_t rows, int32_t cols);

 private:
  Device& device_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
};

}  // namespace bouquet::rose
