// The tokenizer against slow, plain references: the bytes choose vocabulary, merges, options and texts.
//
// The first byte chooses what is compared (tests/tokenizer/differential.h).
#include <cstdlib>
#include <iostream>

#include "tokenizer/differential.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace tokenizer = bouquet::tokenizer;
  constexpr decltype(&tokenizer::compare_model) kCompare[] = {tokenizer::compare_model, tokenizer::compare_pattern,
                                                              tokenizer::compare_small_pipeline,
                                                              tokenizer::compare_any_pipeline};
  if (size == 0) return 0;
  const std::string found = kCompare[data[0] % std::size(kCompare)]({data + 1, size - 1});
  if (found.empty()) return 0;
  std::cerr << found << "\n";
  std::abort();
}
