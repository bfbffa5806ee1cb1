// Cohere's embed dialect: /v2/embed and /v1/embed. Its rerank is in rerank.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ivy/api/formats.h"
#include "ivy/api/route.h"

namespace bouquet::ivy {

std::span<const Route> cohere_routes();

// {"message"}
http::Response cohere_error(const absl::Status& status);

// {"api_version":{"version"},"billed_units":{`unit`: count}}
void write_cohere_meta(std::string_view version, std::string_view unit, int64_t count, JsonWriter* json);

struct CohereEmbedding {
  Job job;
  Formats formats;
  bool types_named = false;  // else version 1 answers with bare floats
};
absl::StatusOr<CohereEmbedding> parse_cohere_embed(const Document& body, const ApiContext& context);

}  // namespace bouquet::ivy
