// Any bytes as a pickled state dict: read or refused, and every tensor's furthest element lies within its storage.
#include <algorithm>
#include <cstdlib>

#include "rose/weights/state_dict.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto dict = bouquet::rose::read_state_dict(bytes);
  if (!dict.ok()) return 0;
  if (dict->size > size) std::abort();
  for (const auto& tensor : dict->tensors) {
    unsigned __int128 furthest = tensor.offset;
    for (size_t d = 0; d < tensor.shape.size(); ++d) {
      furthest += static_cast<unsigned __int128>(std::max<int64_t>(tensor.shape[d] - 1, 0)) * tensor.strides[d];
    }
    if (tensor.elements > 0 && furthest >= tensor.storage.elements) std::abort();
    if (tensor.offset > tensor.storage.elements) std::abort();
    tensor.is_contiguous();
  }
  return 0;
}
