// What carries a chunk of work from Ivy to a Tulip: an interface that means the same in one process, where it is a
// direct call (local_client.h), and between processes. All that Ivy knows of Tulip is in this header.
//
// Ownership: `run` takes the chunk; `done` is called exactly once, from any thread, under no lock that `run` waits for.
// It may hand the reply on and run another chunk; it must not wait for anything.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace bouquet::tulip {

using Clock = std::chrono::steady_clock;

enum class Output : uint8_t {
  kEmbedding = 1,    // a vector for a sequence, or for each of its spans
  kLogits = 2,       // a logit a label, for a sequence
  kTokens = 3,       // the encoder's own vector of each token
  kMultiVector = 4,  // a vector of each token for late interaction (ColBERT)
  kLexical = 5,      // one weight of each token (BGE-M3's sparse head)
  kVocabulary = 6,   // a weight for each entry of the vocabulary, for a sequence (SPLADE)
};

constexpr bool is_per_token(Output output) {
  return output == Output::kTokens || output == Output::kMultiVector || output == Output::kLexical;
}
enum class Lane : uint8_t { kOnline = 0, kBulk = 1 };

struct OutputSpec {
  Output output = Output::kEmbedding;
  int32_t dimensions = 0;  // leading dimensions to keep (cut before normalising); 0: all
  bool normalize = true;   // to unit length; vectors only
  friend bool operator==(const OutputSpec&, const OutputSpec&) = default;
};

// Sequences that run independently of each other, whatever batch they end up in.
struct Chunk {
  std::vector<int32_t> ids;          // [tokens] all sequences one after the other
  std::vector<int32_t> lengths;      // [sequences] each at least 1; they sum to `tokens`
  std::vector<uint8_t> token_types;  // [tokens], or empty: all 0
  // kEmbedding: [spans][2] begin and end within their sequence, or empty: each sequence whole.
  std::vector<int32_t> spans;
  std::vector<int32_t> span_counts;  // [sequences] each at least 1, or empty with `spans`
  std::vector<int32_t> key_counts;   // [sequences] leading tokens that a sequence's tokens see, or empty: all
  OutputSpec spec;
  Lane lane = Lane::kOnline;
  std::string request_id;            // for logs; may be empty
  std::string traceparent;           // likewise: see base/trace_context.h
  bool continues = false;            // a later chunk of a job: refused at twice the limit that the first meets
  uint64_t weights_fingerprint = 0;  // that the ids are meant for; 0: any
};

// Rows of the reply that sequence `index` gets.
inline int64_t rows_of(const Chunk& chunk, size_t index) {
  if (is_per_token(chunk.spec.output)) return chunk.lengths[index];
  return chunk.span_counts.empty() ? 1 : chunk.span_counts[index];
}

struct CallOptions {
  Clock::time_point deadline = Clock::time_point::max();
  std::stop_token cancelled;  // requested when the caller no longer wants the answer
};

struct StageTimes {
  uint64_t queue_us = 0;    // the longest of the chunk's sequences
  uint64_t compute_us = 0;  // of the batches its sequences ran in
};

struct Load {
  uint64_t queued_tokens = 0;
  uint64_t tokens_per_second = 0;  // moving average; 0 before the first batch
};

struct SequenceFailure {
  int32_t index = 0;  // within the chunk
  absl::Status status;
};

struct Reply {
  std::vector<float> values;  // [rows of all sequences][row_size]: see rows_of
  int32_t row_size = 0;
  std::vector<SequenceFailure> failures;  // their rows are zeros and must not be used
  StageTimes times;
  Load load;
};

// Who a replica is. Replicas whose fingerprints differ are not interchangeable.
struct ModelCard {
  std::string name;
  uint32_t protocol = 1;
  uint64_t weights_fingerprint = 0;
  uint64_t tokenizer_fingerprint = 0;    // 0: the replica does not know it
  int32_t dimensions = 0;                // of the embedding; 0: none
  int32_t labels = 0;                    // of the classification head; 0: none
  int32_t token_dimensions = 0;          // of kMultiVector; 0: none
  bool tanh_int8 = false;                // trained to be quantised: round(127 tanh x), sign bits of x
  std::vector<std::string> label_names;  // in order; empty: it names none
  int32_t max_tokens = 0;                // longest sequence
  int32_t vocab_size = 0;
  std::string pooling;
  std::vector<Output> outputs;    // the first is what the model is for
  int32_t token_budget = 0;       // tokens a chunk should hold at most
  int32_t saturation_tokens = 0;  // past it a bigger batch buys nothing
  std::string device;
  std::string dtype;
  std::string isa_level;
};

// Errors of a whole chunk:
//   INVALID_ARGUMENT    malformed chunk, a length over max_tokens, an id outside the vocabulary
//   FAILED_PRECONDITION the replica has other weights than the chunk is meant for
//   RESOURCE_EXHAUSTED  too many tokens queued; retry_after() of the status gives the hint
//   DEADLINE_EXCEEDED, CANCELLED   decided before the work was done, or before replying
//   UNAVAILABLE         draining, not ready, or gone
//   INTERNAL            a fault of ours
using Done = std::function<void(absl::StatusOr<Reply>)>;

class Client {
 public:
  virtual ~Client() = default;
  virtual absl::StatusOr<ModelCard> describe() = 0;
  virtual void run(Chunk chunk, CallOptions options, Done done) = 0;
  // True when a request sent now would be served: model loaded, last self-test finite, device not stuck.
  virtual bool ready() const = 0;
};

// The retry hint of a RESOURCE_EXHAUSTED status travels as a status payload, in milliseconds.
absl::Status overloaded_error(std::string message, std::chrono::milliseconds retry_after);
std::chrono::milliseconds retry_after(const absl::Status& status);  // 0 when there is none

}  // namespace bouquet::tulip
