// The rerank dialect of Cohere, Jina and vLLM: /v1/rerank, /v2/rerank, /rerank with `documents`. Replies carry the
// fields of all three.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ivy/api/route.h"

namespace bouquet::ivy {

std::span<const Route> rerank_routes();

// The endpoint of all of them, for routes of the same kind.
void rerank_documents(const ApiContext& context, ApiCall call);

// {"object":"error","message","type","param","code"}
http::Response rerank_error(const absl::Status& status);

struct RerankRequest {
  Job job;
  std::string model;
  size_t top_n = 0;  // 0: all
  bool raw_scores = false;
  bool return_documents = false;
};
absl::StatusOr<RerankRequest> parse_rerank(const Document& body, const ApiContext& context);

}  // namespace bouquet::ivy
