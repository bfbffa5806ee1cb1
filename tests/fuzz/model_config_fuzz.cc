// Any bytes as a config.json: parsed or refused, and what is parsed claims sizes that can be.
#include <cstdlib>

#include "rose/models/architecture.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto config = bouquet::rose::JsonConfig::parse({reinterpret_cast<const char*>(data), size}, "config.json");
  if (!config.ok()) return 0;
  const auto architecture = bouquet::rose::parse_architecture(*config);
  if (!architecture.ok()) return 0;
  const bouquet::rose::Sizes& sizes = architecture->sizes;
  if (sizes.hidden < 1 || sizes.vocab_size < 1 || sizes.token_types < 1) std::abort();
  return 0;
}
