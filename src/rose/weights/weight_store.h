// Weights in device memory that engines of one process share: what one engine has put there, the next one takes. It is
// needed while engines are loaded, one after the other; what they took stays theirs.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "rose/kernels/kernels.h"

namespace bouquet::rose {

class WeightStore {
 public:
  // What was made under this key, or else what `make` makes now.
  absl::StatusOr<std::shared_ptr<Buffer>> buffer(const std::string& key,
                                                 absl::FunctionRef<absl::StatusOr<std::unique_ptr<Buffer>>()> make);
  absl::StatusOr<PackedMatrix> matrix(const std::string& key, absl::FunctionRef<absl::StatusOr<PackedMatrix>()> make);

 private:
  std::map<std::string, std::shared_ptr<Buffer>> buffers_;
  std::map<std::string, PackedMatrix> matrices_;
};

}  // namespace bouquet::rose
