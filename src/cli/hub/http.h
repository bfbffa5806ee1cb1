// GET over HTTP(S) for the hub: redirects are followed by hand, so that the token goes to the hub's own host and to no
// other; a body is handed out as it comes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace bouquet::cli {

struct HttpRequest {
  std::string url;
  std::string token;      // sent as a bearer token while the host stays that of `url`
  int64_t from_byte = 0;  // more than 0: asks for the rest only (Range)
};

struct HttpResponse {
  long status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
};

// Takes a piece of a 200 or 206 body; false stops the transfer.
using BodySink = std::function<bool(std::string_view piece, const HttpResponse& response)>;

// UNAVAILABLE when the connection fails or is cut on the way (a status of 4xx or 5xx is a response, not an error).
// Proxies are read from the usual environment variables.
absl::StatusOr<HttpResponse> http_get(const HttpRequest& request, const BodySink& sink);

}  // namespace bouquet::cli
