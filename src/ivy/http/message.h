// Requests and replies as they cross the border between the HTTP server and what answers: plain structs, no Beast.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "ivy/executor.h"

namespace bouquet::ivy::http {

using Clock = std::chrono::steady_clock;
using Headers = std::vector<std::pair<std::string, std::string>>;  // names in lower case

struct RequestHead {
  std::string method;
  std::string path;   // decoded, without doubled or trailing slashes
  std::string query;  // what follows '?', as sent
  Headers headers;
  std::string id;  // x-request-id, the caller's where it is sane
  bool http10 = false;
  std::string peer;

  std::string_view header(std::string_view name) const;  // the first of that name; "" when there is none
};

struct Request {
  RequestHead head;
  std::string body;            // decoded from its transfer and content codings
  Clock::time_point received;  // when its last byte was in
  Clock::time_point deadline;
  std::stop_token cancelled;  // requested when the client went away, or its time is up
  Executor executor;          // runs work on the strand that serves this connection
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  Headers headers;
  // For the access log and the metrics only.
  int64_t tokens = 0;
  int32_t truncated = 0;
  std::string_view cause;  // of an error, see failure.h; a literal
};

// Call it once, from any thread; later calls are ignored.
using Respond = std::function<void(Response)>;

// One request and its reply, told when all is over.
struct Exchange {
  const RequestHead& head;
  int status = 0;  // 499: the client left before the reply
  size_t bytes_in = 0;
  size_t bytes_out = 0;
  int64_t tokens = 0;
  int32_t truncated = 0;
  std::string_view cause = {};
  Clock::duration total{};  // from the request's last byte
  Clock::duration write{};  // of that, writing the reply
};

// What answers: in the server, ivy/api/front.h. All functions may be called from several threads at once, and must not
// throw.
class Handler {
 public:
  virtual ~Handler() = default;
  // After the header, before the body is read: a reply refuses the request.
  virtual std::optional<Response> admit(const RequestHead& head) = 0;
  virtual void handle(Request request, Respond respond) = 0;
  // The reply to a request that the HTTP server itself must refuse.
  virtual Response refuse(const RequestHead& head, const absl::Status& status) = 0;
  virtual void finished(const Exchange& exchange) = 0;
};

}  // namespace bouquet::ivy::http
