// The dialect of text-embeddings-inference: /embed, /rerank, /predict, /similarity, /tokenize, /decode, /info.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ivy/api/route.h"

namespace bouquet::ivy {

std::span<const Route> tei_routes();

// {"error","error_type"}, with TEI's own status codes.
http::Response tei_error(const absl::Status& status);

absl::StatusOr<Job> parse_tei_embed(const Document& body, const ApiContext& context);
absl::StatusOr<Job> parse_tei_similarity(const Document& body, const ApiContext& context);
absl::StatusOr<Job> parse_tei_tokenize(const Document& body, const ApiContext& context);
absl::StatusOr<Job> parse_tei_decode(const Document& body, const ApiContext& context);

struct TeiScores {
  Job job;
  bool raw_scores = false;
  bool return_text = false;
};
absl::StatusOr<TeiScores> parse_tei_rerank(const Document& body, const ApiContext& context);
absl::StatusOr<TeiScores> parse_tei_predict(const Document& body, const ApiContext& context);

// The x-compute-time family of headers, in whole milliseconds.
void add_tei_headers(const http::Request& request, const JobResult& result, http::Response* response);

}  // namespace bouquet::ivy
