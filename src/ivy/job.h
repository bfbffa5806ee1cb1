// The neutral form of every request: what each dialect turns its JSON into, and what each encodes its reply from.
//
// A Job names what it was called in the request (`field`), so that an error can point at it: "input[3] is empty".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "ivy/executor.h"
#include "tokenizer/tokenizer.h"
#include "tulip/client.h"

namespace bouquet::ivy {

enum class Task : uint8_t {
  kEmbed,        // texts or token ids -> one vector each
  kTokens,       // texts or token ids -> the encoder's own vector of every token
  kMultiVector,  // texts -> vectors for late interaction (ColBERT), some for each
  kSparse,       // texts -> weights of vocabulary entries
  kContext,      // documents -> one vector for each of their chunks, all of which see each other
  kScore,        // one query against each text, or pairs that hold their own -> one logit each
  kClassify,     // texts or pairs -> the logits of every label
  kTokenize,     // texts -> encodings
  kDecode,       // token ids -> texts
};

using TextPair = std::pair<std::string, std::string>;
using TokenIds = std::vector<int32_t>;
using ChunkedText = std::vector<std::string>;  // its chunks, in order
using Input = std::variant<std::string, TextPair, TokenIds, ChunkedText>;

struct JobOptions {
  std::optional<bool> truncate;  // false: refuse a text that is too long. Unset: as the recipe says
  std::optional<tokenizer::TruncationSide> truncation_side;
  std::optional<std::string> prompt_name;  // one of the recipe's prompts
  std::optional<std::string> prompt;       // the prompt's text itself; goes before prompt_name
  std::optional<int64_t> dimensions;       // leading dimensions to keep; unset: all
  bool normalize = true;
  bool is_query = false;            // kMultiVector: as models prepare queries, not documents
  std::optional<tulip::Lane> lane;  // unset: by size
  std::string instruction;          // kScore: what the reranker is asked for, where it takes that; empty: the usual
  int32_t max_document_tokens = 0;  // kScore: each document is cut to so many tokens first; 0: no limit
  bool add_special_tokens = true;   // kTokenize
  bool skip_special_tokens = true;  // kDecode
};

struct Job {
  Task task = Task::kEmbed;
  std::string query;          // kScore: the first half of every pair, where the inputs are texts
  std::vector<Input> inputs;  // at least one
  std::string field = "input";
  bool single = false;  // the request gave one input, not a list: errors name the field without an index
  JobOptions options;
  std::string request_id;
  std::string traceparent;  // the caller's trace context; empty: none
  tulip::CallOptions call;
  Executor reply_on;  // where a small result is handed back; empty: wherever it became ready
};

struct JobTimes {
  uint64_t tokenize_us = 0;
  uint64_t queue_us = 0;    // the longest of the chunks
  uint64_t compute_us = 0;  // the longest of the chunks
};

// Ascending indices of vocabulary entries, and their weights.
struct SparseVector {
  std::vector<int32_t> indices;
  std::vector<float> values;
};

struct JobResult {
  std::vector<float> values;        // [rows of all inputs][row_size]
  std::vector<int32_t> row_counts;  // [inputs] rows of each; empty: one each
  int32_t row_size = 0;
  std::vector<SparseVector> sparse;            // kSparse: one an input, and no values
  std::vector<tokenizer::Encoding> encodings;  // kTokenize: one an input
  std::vector<std::string> texts;              // kTokenize: what was encoded, prompt included; kDecode: the texts
  int64_t tokens = 0;                          // really run, special tokens included
  int64_t text_bytes = 0;                      // bytes of text read
  int32_t truncated = 0;                       // inputs that were cut
  JobTimes times;

  const float* row(size_t index) const { return values.data() + index * static_cast<size_t>(row_size); }
};

using JobDone = std::function<void(absl::StatusOr<JobResult>)>;

}  // namespace bouquet::ivy
