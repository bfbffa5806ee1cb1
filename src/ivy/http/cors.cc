// Origins are compared as a whole.
#include "ivy/http/cors.h"

#include <algorithm>
#include <utility>

namespace bouquet::ivy::http {
namespace {

constexpr char kExposed[] =
    "x-request-id, x-bouquet-truncated, x-bouquet-score-scale, retry-after, x-compute-time, x-total-time, "
    "x-tokenization-time, x-queue-time, x-inference-time, x-compute-tokens, x-compute-characters";

}  // namespace

Cors::Cors(std::vector<std::string> origins) : origins_(std::move(origins)) {
  any_ = std::find(origins_.begin(), origins_.end(), "*") != origins_.end();
}

void Cors::mark(const RequestHead& head, Response* response) const {
  const std::string_view origin = head.header("origin");
  if (origin.empty() || origins_.empty()) return;
  if (!any_) response->headers.emplace_back("vary", "origin");
  if (!any_ && std::find(origins_.begin(), origins_.end(), origin) == origins_.end()) return;
  response->headers.emplace_back("access-control-allow-origin", any_ ? "*" : std::string(origin));
  response->headers.emplace_back("access-control-expose-headers", kExposed);
}

std::optional<Response> Cors::preflight(const RequestHead& head) const {
  if (head.method != "OPTIONS" || head.header("access-control-request-method").empty()) return std::nullopt;
  Response response;
  response.status = 204;
  response.content_type.clear();
  const std::string_view wanted = head.header("access-control-request-headers");
  response.headers = {
      {"access-control-allow-methods", "GET, HEAD, POST, OPTIONS"},
      {"access-control-allow-headers",
       wanted.empty() ? "authorization, content-type, x-api-key, x-request-id, traceparent" : std::string(wanted)},
      {"access-control-max-age", "86400"}};
  return response;
}

}  // namespace bouquet::ivy::http
