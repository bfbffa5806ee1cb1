// What operators and browsers ask for: /health, /ready, /metrics, /openapi.json, /docs.
#pragma once

#include <span>
#include <string>

#include "ivy/api/route.h"

namespace bouquet::ivy {

std::span<const Route> operations_routes();

// An OpenAPI 3.1 document of the table. Routes that share path and method become one operation with either body.
std::string describe_routes(std::span<const Route> routes);

}  // namespace bouquet::ivy
