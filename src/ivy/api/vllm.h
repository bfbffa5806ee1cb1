// vLLM's own routes: /score, /classify, /pooling, and its forms of /tokenize and /detokenize.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "ivy/api/encode.h"
#include "ivy/api/route.h"

namespace bouquet::ivy {

std::span<const Route> vllm_routes();

// {"error":{"message","type","param","code"}} with the HTTP status as the code.
http::Response vllm_error(const absl::Status& status);

struct VllmScore {
  Job job;             // kScore; of an embedder kEmbed, the second texts before the first
  size_t pairs = 0;    // scores to give
  size_t queries = 0;  // 1, or one a pair
  bool raw = false;    // the logit
};
// text_1 and text_2, or queries and documents: one against each, or each against its own.
absl::StatusOr<VllmScore> parse_vllm_score(const Document& body, const ApiContext& context);

struct VllmPooling {
  Job job;
  bool raw = false;  // of kClassify: logits
  VectorFormat format = VectorFormat::kFloat;
};
absl::StatusOr<VllmPooling> parse_vllm_classify(const Document& body, const ApiContext& context);
absl::StatusOr<VllmPooling> parse_vllm_pooling(const Document& body, const ApiContext& context);

struct VllmTokenize {
  Job job;
  bool strings = false;  // return_token_strs
};
absl::StatusOr<VllmTokenize> parse_vllm_tokenize(const Document& body, const ApiContext& context);
absl::StatusOr<Job> parse_vllm_detokenize(const Document& body, const ApiContext& context);

}  // namespace bouquet::ivy
