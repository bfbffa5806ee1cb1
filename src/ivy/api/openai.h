// The OpenAI dialect: /v1/embeddings, also as Azure and Jina know it, and /v1/models.
#pragma once

#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "ivy/api/formats.h"
#include "ivy/api/route.h"

namespace bouquet::ivy {

std::span<const Route> openai_routes();

// {"error":{"message","type","param","code"}}
http::Response openai_error(const absl::Status& status);

// The endpoint of /v1/embeddings, for routes of the same kind.
void openai_embeddings(const ApiContext& context, ApiCall call);

struct OpenaiEmbedding {
  Job job;
  Formats formats;    // more than one: each vector is an object with all of them
  std::string model;  // as the reply names it
};
absl::StatusOr<OpenaiEmbedding> parse_openai_embedding(const Document& body, const ApiContext& context);

}  // namespace bouquet::ivy
