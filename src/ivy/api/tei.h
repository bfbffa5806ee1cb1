// The dialect of text-embeddings-inference: /embed, /embed_all, /embed_sparse, /rerank, /predict, /similarity,
// /tokenize, /decode, /info, and / for whatever the model is for.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/json_writer.h"
#include "ivy/api/route.h"

namespace bouquet::ivy {

std::span<const Route> tei_routes();

// {"error","error_type"}, with TEI's own status codes.
http::Response tei_error(const absl::Status& status);

absl::StatusOr<Job> parse_tei_embed(const Document& body, const ApiContext& context);
// The same without what only whole vectors have.
absl::StatusOr<Job> parse_tei_rows(Task task, const Document& body, const ApiContext& context);
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

// A request, read: what to run, and how to write what comes of it. It may point into the context's gateway.
struct TeiWork {
  Job job;
  std::function<void(const JobResult& result, JsonWriter* json)> write;
};
absl::StatusOr<TeiWork> tei_embed(const Document& body, const ApiContext& context);
absl::StatusOr<TeiWork> tei_embed_all(const Document& body, const ApiContext& context);
absl::StatusOr<TeiWork> tei_embed_sparse(const Document& body, const ApiContext& context);
absl::StatusOr<TeiWork> tei_similarity(const Document& body, const ApiContext& context);
absl::StatusOr<TeiWork> tei_rerank(const Document& body, const ApiContext& context);
absl::StatusOr<TeiWork> tei_predict(const Document& body, const ApiContext& context);
absl::StatusOr<TeiWork> tei_tokenize(const Document& body, const ApiContext& context);
absl::StatusOr<TeiWork> tei_decode(const Document& body, const ApiContext& context);
// By what the body holds and what the model is for: rerank, embed, predict, embed_sparse, or embed_all.
absl::StatusOr<TeiWork> tei_any(const Document& body, const ApiContext& context);

// The endpoint of POST /, for routes of the same kind.
void tei_root(const ApiContext& context, ApiCall call);

// The x-compute-time family of headers, in whole milliseconds.
void add_tei_headers(const http::Request& request, const JobResult& result, http::Response* response);

}  // namespace bouquet::ivy
