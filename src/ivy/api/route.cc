// From a call to a job and back, the same for every dialect.
#include "ivy/api/route.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
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

http::Response message_error(std::string_view key, const absl::Status& status) {
  JsonWriter json;
  json.begin_object().key(key);
  json.string(std::string_view(status.message().data(), status.message().size())).end_object();
  http::Response response;
  response.status = http_status_of(status);
  response.body = std::move(json).str();
  return response;
}

void fail(const ApiCall& call, const absl::Status& status) {
  if (cause_of(status) == "internal") {
    log_error("a request failed", {{"id", call.request.head.id}, {"error", std::string(status.message())}});
  }
  call.respond(error_response(call.route->error, status));
}

namespace {

// A request whose jobs are running.
struct Gathering {
  ApiCall call;
  EncodeAll encode;
  Explain explain;
  std::vector<JobResult> results;
  std::mutex mutex;
  size_t missing = 0;  // jobs without an end; this and the rest under mutex
  size_t failed = 0;   // the first of those that did, if status is an error
  absl::Status status;

  // True for the last one.
  bool add(size_t job, absl::StatusOr<JobResult> result) {
    std::lock_guard lock(mutex);
    if (result.ok()) {
      results[job] = *std::move(result);
    } else if (status.ok() || job < failed) {
      status = result.status();
      failed = job;
    }
    return --missing == 0;
  }

  void answer() {
    if (!status.ok()) return fail(call, explain ? explain(failed, status) : status);
    try {
      call.respond(encode(results));
    } catch (const std::exception& error) {
      fail(call, absl::InternalError(error.what()));
    }
  }
};

void address(const http::Request& request, Job* job) {
  job->request_id = request.head.id;
  if (const std::string_view trace = request.head.header(kTraceParent); !trace_id_of(trace).empty()) {
    job->traceparent = trace;
  }
  job->call.deadline = request.deadline;
  job->call.cancelled = request.cancelled;
  job->reply_on = request.executor;
}

}  // namespace

void run_jobs(const ApiContext& context, ApiCall call, std::vector<Job> jobs, EncodeAll encode, Explain explain) {
  for (Job& job : jobs) address(call.request, &job);
  meters().parse.Observe(std::chrono::duration<double>(http::Clock::now() - call.request.received).count());
  call.body.reset();  // all of it is in the jobs by now
  call.request.body = std::string();
  auto all = std::make_shared<Gathering>();
  all->call = std::move(call);
  all->encode = std::move(encode);
  all->explain = std::move(explain);
  all->results.resize(jobs.size());
  all->missing = jobs.size();
  Gateway& gateway = *context.gateway;  // the call keeps it until it has been answered
  for (size_t i = 0; i < jobs.size(); ++i) {
    gateway.run(std::move(jobs[i]), [all, i](absl::StatusOr<JobResult> result) {
      if (all->add(i, std::move(result))) all->answer();
    });
  }
}

void run_job(const ApiContext& context, ApiCall call, Job job, Encode encode) {
  std::vector<Job> jobs;
  jobs.push_back(std::move(job));
  run_jobs(context, std::move(call), std::move(jobs),
           [encode = std::move(encode)](std::span<const JobResult> results) { return encode(results.front()); });
}

http::Response empty_reply(int status) {
  http::Response response;
  response.status = status;
  response.content_type.clear();
  return response;
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

void write_usage(const JobResult& result, JsonWriter* json) {
  json->begin_object().key("prompt_tokens").number(result.tokens);
  json->key("total_tokens").number(result.tokens).end_object();
}

}  // namespace bouquet::ivy
