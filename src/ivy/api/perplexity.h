// Perplexity's dialect: /v1/contextualizedembeddings, and the two encodings that its /v1/embeddings adds to OpenAI's.
#pragma once

#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "ivy/api/formats.h"
#include "ivy/api/route.h"

namespace bouquet::ivy {

std::span<const Route> perplexity_routes();

// Perplexity's limits, for its encodings only: 512 inputs; 128 dimensions at least, of models that have so many; and
// whole bytes of bits.
absl::Status check_perplexity(VectorFormat format, const Job& job, const tulip::ModelCard& card);

struct ContextRequest {
  Job job;
  VectorFormat format = VectorFormat::kBase64Int8;
  std::string model;  // as the reply names it
};
absl::StatusOr<ContextRequest> parse_perplexity_context(const Document& body, const ApiContext& context);

}  // namespace bouquet::ivy
