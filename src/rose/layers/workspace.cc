// One buffer a matrix.
#include "rose/layers/workspace.h"

#include "base/status.h"

namespace bouquet::rose {
namespace {
constexpr int32_t kRowPadding = 16;  // floats: one cache line
}

absl::StatusOr<Tensor> Workspace::matrix(int64_t rows, int32_t cols) {
  const int32_t stride = cols + kRowPadding;
  ASSIGN_OR_RETURN(std::unique_ptr<Buffer> buffer,
                   device_.allocate(static_cast<size_t>(rows) * stride * sizeof(float)));
  buffers_.push_back(std::move(buffer));
  return Tensor{buffers_.back()->data(), DType::kF32, cols, stride};
}

}  // namespace bouquet::rose
