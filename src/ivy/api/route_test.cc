// From call to job and back: errors, exceptions, notes on the reply.
#include "ivy/api/route.h"

#include <future>
#include <stdexcept>

#include "gtest/gtest.h"
#include "ivy/api/openai.h"
#include "ivy/testing/harness.h"

namespace bouquet::ivy {
namespace {

using testing_fakes::Harness;
using testing_fakes::header_of;

const Route kRoute = {"POST", "/x", nullptr, openai_error, "", "", "", "", false};

http::Response run_with(Harness& harness, const Encode& encode) {
  std::promise<http::Response> promise;
  ApiCall call;
  call.route = &kRoute;
  call.request.deadline = http::Clock::now() + std::chrono::seconds(10);
  call.respond = [&](http::Response response) { promise.set_value(std::move(response)); };
  Job job;
  job.inputs = {"a"};
  const ApiOptions options;
  run_job({options, {}, *harness.catalog.get(), harness.gateway.get(), "", {}}, std::move(call), std::move(job),
          encode);
  return promise.get_future().get();
}

TEST(RouteRun, EncodesTheResult) {
  Harness harness(testing_fakes::embedder_card());
  const auto response = run_with(harness, [](const JobResult& result) { return json_reply("{}", result); });
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.tokens, 3);
}

TEST(RouteRun, AnExceptionBecomesA500) {
  Harness harness(testing_fakes::embedder_card());
  const auto response = run_with(harness, [](const JobResult&) -> http::Response { throw std::runtime_error("bug"); });
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.cause, "internal");
}

TEST(RouteRun, ErrorsCarryTheirHeadersAndCause) {
  const auto busy = error_response(openai_error, absl::ResourceExhaustedError("full"));
  EXPECT_EQ(busy.cause, "overload");
  EXPECT_EQ(header_of(busy, "retry-after"), "1");
  EXPECT_EQ(header_of(error_response(openai_error, absl::UnavailableError("gone")), "retry-after"), "1");
  EXPECT_EQ(header_of(error_response(openai_error, absl::InternalError("bug")), "retry-after"), "none");
}

}  // namespace
}  // namespace bouquet::ivy
