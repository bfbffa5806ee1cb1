// What platforms that host models ask of a server: SageMaker's /invocations and /ping, and /vertex for Vertex AI.
#pragma once

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "ivy/api/route.h"
#include "ivy/api/tei.h"

namespace bouquet::ivy {

std::span<const Route> hosts_routes();

// {"instances": [...]}, each a body that TEI's POST / would take. Errors begin with the instance.
absl::StatusOr<std::vector<TeiWork>> parse_vertex(const Document& body, const ApiContext& context);

}  // namespace bouquet::ivy
