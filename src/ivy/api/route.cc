// From a call to a job and back, the same for every dialect.
#include "ivy/api/route.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "base/log.h"
#include "base/trace_context.h"
#include "fmt/format.h"
#include "ivy/failure.h"
#include "ivy/meters.h"

namespace bouquet::ivy {
namespace {

std::string retry_seconds(const absl::Status& status) {
  const auto hint = std::chrono::ceil<std::chrono::seconds>(tulip::retry_after(status));
  return std::to_string(std::max<int64_t>(1, hint.count()));
}

// https://www.w3.org/TR/server-timing/, in milliseconds
std::string server_timing(const JobTimes& times) {
  const auto milliseconds = [](uint64_t microseconds) { return static_cast<double>(microseconds) / 1000; };
  return fmt::format("tokenize;dur={:.3f}, queue;dur={:.3f}, compute;dur={:.3f}", milliseconds(times.tokenize_us),
                     milliseconds(times.queue_us), milliseconds(times.compute_us));
}

}  // namespace

http::Response error_response(ErrorShape shape, const absl::Status& status) {
  http::Response response = shape(status);
  response.cause = cause_of(status);
  switch (status.code()) {
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kUnavailable:
      response.headers.emplace_back("retry-after", retry_seconds(status));
      break;
    case absl::StatusCode::kUnauthenticated:
      response.headers.emplace_back("www-authenticate", "Bearer");
      break;
    default:
      break;
  }
  return response;
}

void fail(const ApiCall& call, const absl::Status& status) {
  if (cause_of(status) == "internal") {
    log_error("a request failed", {{"id", call.request.head.id}, {"error", std::string(status.message())}});
  }
  call.respond(error_response(call.route->error, status));
}

void run_job(const ApiContext& context, ApiCall call, Job job, Encode encode) {
  job.request_id = call.request.head.id;
  if (const std::string_view trace = call.request.head.header(kTraceParent); !trace_id_of(trace).empty()) {
    job.traceparent = trace;
  }
  job.call.deadline = call.request.deadline;
  job.call.cancelled = call.request.cancelled;
  job.reply_on = call.request.executor;
  meters().parse.Observe(std::chrono::duration<double>(http::Clock::now() - call.request.received).count());
  call.body.reset();  // all of it is in the job by now
  call.request.body = std::string();
  auto shared = std::make_shared<const ApiCall>(std::move(call));
  context.gateway->run(std::move(job), [shared, encode = std::move(encode)](absl::StatusOr<JobResult> result) {
    if (!result.ok()) return fail(*shared, result.status());
    try {
      shared->respond(encode(*result));
    } catch (const std::exception& error) {
      fail(*shared, absl::InternalError(error.what()));
    }
  });
}

http::Response json_reply(std::string body, const JobResult& result) {
  http::Response response;
  response.body = std::move(body);
  response.tokens = result.tokens;
  response.truncated = result.truncated;
  if (result.times.compute_us > 0) response.headers.emplace_back("server-timing", server_timing(result.times));
  if (result.truncated > 0) response.headers.emplace_back("x-bouquet-truncated", std::to_string(result.truncated));
  return response;
}

}  // namespace bouquet::ivy
