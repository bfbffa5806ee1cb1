// The dialect of Weaviate's text2vec containers: /vectors, /meta, /.well-known/live and /.well-known/ready.
#pragma once

#include <span>

#include "absl/status/statusor.h"
#include "ivy/api/route.h"

namespace bouquet::ivy {

std::span<const Route> weaviate_routes();

// {"error": message}
http::Response weaviate_error(const absl::Status& status);

// {"text", "config": {"task_type"}}
absl::StatusOr<Job> parse_weaviate(const Document& body, const ApiContext& context);

}  // namespace bouquet::ivy
