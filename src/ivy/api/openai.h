// The OpenAI dialect: /v1/embeddings and /v1/models.
#pragma once

#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "ivy/api/encode.h"
#include "ivy/api/route.h"

namespace bouquet::ivy {

std::span<const Route> openai_routes();

// {"error":{"message","type","param","code"}}
http::Response openai_error(const absl::Status& status);

struct OpenaiEmbedding {
  Job job;
  VectorFormat format = VectorFormat::kFloat;
  std::string model;  // as the reply names it
};
absl::StatusOr<OpenaiEmbedding> parse_openai_embedding(const Document& body, const ApiContext& context);

}  // namespace bouquet::ivy
