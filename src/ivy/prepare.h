// From a job's inputs to token ids: prompts, pair layout, truncation, and every check that needs the tokenizer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ivy/job.h"
#include "ivy/recipe.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::ivy {

// What preparing depends on besides the job.
struct Kitchen {
  const tokenizer::Tokenizer& tokenizer;
  const Recipe& recipe;
  int32_t max_length = 0;  // tokens of a sequence, special ones included
  int32_t vocab_size = 0;  // ids are below it
  bool last_token_pooling = false;
  bool raw_token_ids = false;  // let ids through that lack the template's own special tokens
};

struct Prepared {
  std::vector<int32_t> ids;                    // [tokens] all inputs one after the other
  std::vector<int32_t> lengths;                // [inputs]
  std::vector<uint8_t> token_types;            // [tokens], or empty: all 0
  std::vector<int32_t> spans;                  // kContext only: [chunks][2] begin and end within their document
  std::vector<int32_t> span_counts;            // kContext only: [inputs]
  std::vector<int32_t> key_counts;             // [inputs] leading tokens that others see, or empty: all
  std::vector<uint8_t> kept;                   // kMultiVector only: [tokens] 1 where a token has a vector
  std::vector<tokenizer::Encoding> encodings;  // kTokenize only
  std::vector<std::string> texts;              // kTokenize only: what was encoded
  int64_t text_bytes = 0;                      // bytes of text
  int32_t truncated = 0;                       // inputs that were cut
};

// The error names the field and the index. Stops early when the job is cancelled or late.
absl::StatusOr<Prepared> prepare(const Job& job, const Kitchen& kitchen);

// kDecode: each input's ids as text.
absl::StatusOr<std::vector<std::string>> decode(const Job& job, const Kitchen& kitchen);

}  // namespace bouquet::ivy
