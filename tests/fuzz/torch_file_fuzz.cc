// Any bytes as a file of torch.save: parsed or refused, and every view lies within the bytes or a copy, which together
// are not larger than the bytes.
#include <algorithm>
#include <cstdlib>

#include "rose/weights/torch_file.h"

namespace {

using Bytes = std::span<const std::byte>;

bool lies_within(Bytes part, Bytes whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto parsed = bouquet::rose::parse_torch_file(bytes);
  if (!parsed.ok()) return 0;
  size_t copied = 0;
  for (const auto& copy : parsed->copies) copied += copy.size();
  if (copied > size) std::abort();
  for (const auto& [name, entry] : parsed->tensors) {
    const auto& copies = parsed->copies;
    const auto holds = [&entry = entry](const auto& copy) { return lies_within(entry.bytes, copy); };
    if (!entry.bytes.empty() && !lies_within(entry.bytes, bytes) && std::none_of(copies.begin(), copies.end(), holds)) {
      std::abort();
    }
  }
  return 0;
}
