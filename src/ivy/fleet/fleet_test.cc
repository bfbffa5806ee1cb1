// Chunks find their way around replicas that fail, are full, differ, or take long.
#include "ivy/fleet/fleet.h"

#include <future>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/meters.h"
#include "ivy/testing/fakes.h"

namespace bouquet::ivy {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing_fakes::embedder_card;
using testing_fakes::FakeClient;
using testing_fakes::fleet_of;

std::shared_ptr<FakeClient> replica() { return std::make_shared<FakeClient>(embedder_card()); }

std::future<absl::StatusOr<tulip::Reply>> start(Fleet& fleet, tulip::CallOptions options = {}) {
  auto promise = std::make_shared<std::promise<absl::StatusOr<tulip::Reply>>>();
  fleet.run({.chunk =
                 [] {
                   return tulip::Chunk{.ids = {1, 20, 2}, .lengths = {3}};
                 },
             .tokens = 3,
             .options = std::move(options),
             .done = [promise](absl::StatusOr<tulip::Reply> reply) { promise->set_value(std::move(reply)); }});
  return promise->get_future();
}

absl::Status run(Fleet& fleet, tulip::CallOptions options = {}) {
  return start(fleet, std::move(options)).get().status();
}

TEST(Fleet, EachReplicaGetsItsShare) {
  const auto a = replica(), b = replica();
  const auto fleet = fleet_of({a, b});
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(run(*fleet).ok());
  EXPECT_GE(a->chunks().size(), 3u);
  EXPECT_GE(b->chunks().size(), 3u);
}

TEST(Fleet, RefusesReplicasThatDiffer) {
  tulip::ModelCard other = embedder_card();
  other.dtype = "bf16";
  const auto fleet = std::make_shared<Fleet>(FleetOptions{.tokenizer_fingerprint = 77});
  EXPECT_FALSE(fleet->card());
  EXPECT_TRUE(fleet->join(replica()).ok());
  EXPECT_THAT(std::string(fleet->join(std::make_shared<FakeClient>(other)).status().message()), HasSubstr("dtype"));
  tulip::ModelCard foreign = embedder_card();
  foreign.tokenizer_fingerprint = 78;
  EXPECT_THAT(std::string(fleet->join(std::make_shared<FakeClient>(foreign)).status().message()),
              HasSubstr("tokenizer"));
  EXPECT_EQ(fleet->size(), 1u);
}

TEST(Fleet, ReplicasAreCountedWhileTheyAreThere) {
  const double before = meters().replicas.Value();
  {
    const auto fleet = fleet_of({replica(), replica(), replica()});
    fleet->leave(0);
    EXPECT_EQ(meters().replicas.Value(), before + 2);
  }
  EXPECT_EQ(meters().replicas.Value(), before);
}

TEST(Fleet, AFailureIsTriedElsewhere) {
  const auto bad = replica(), good = replica();
  const auto fleet = fleet_of({bad, good});
  for (const auto& failure :
       {absl::UnavailableError("gone"), absl::InternalError("broken"), tulip::overloaded_error("full", 500ms)}) {
    bad->fail_with(failure);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(run(*fleet).ok());
  }
  EXPECT_LT(bad->chunks().size(), 8u);  // left out after a while
}

TEST(Fleet, TheCallersFaultIsNotTriedElsewhere) {
  const auto a = replica(), b = replica();
  const auto fleet = fleet_of({a, b});
  a->fail_with(absl::InvalidArgumentError("bad"));
  b->fail_with(absl::InvalidArgumentError("bad"));
  EXPECT_EQ(run(*fleet).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(a->chunks().size() + b->chunks().size(), 1u);
}

TEST(Fleet, WhenAllAreFullTheSoonestHintIsTold) {
  const auto a = replica(), b = replica(), c = replica();
  const auto fleet = fleet_of({a, b, c});
  a->fail_with(tulip::overloaded_error("full", 500ms));
  b->fail_with(tulip::overloaded_error("full", 200ms));
  c->fail_with(absl::UnavailableError("gone"));
  const absl::Status status = run(*fleet);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(tulip::retry_after(status), 200ms);
}

TEST(Fleet, RetriesHaveABudget) {
  const auto a = replica(), b = replica();
  const auto fleet = fleet_of({a, b}, {.retry_share = 0.1, .retry_burst = 5});
  a->fail_with(absl::InternalError("broken"));
  b->fail_with(absl::InternalError("broken"));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(run(*fleet).code(), absl::StatusCode::kInternal);
  EXPECT_EQ(a->chunks().size() + b->chunks().size(), 100u + 5 + 9);  // the first attempt found the burst full
}

TEST(Fleet, NothingIsTriedPastTheDeadlineOrForNobody) {
  const auto a = replica(), b = replica();
  const auto fleet = fleet_of({a, b});
  a->hold(), b->hold();
  std::stop_source stop;
  auto cancelled = start(*fleet, {.cancelled = stop.get_token()});
  stop.request_stop();
  a->fail_with(absl::UnavailableError("gone")), b->fail_with(absl::UnavailableError("gone"));
  a->release(), b->release();
  EXPECT_EQ(cancelled.get().status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(run(*fleet, {.deadline = Clock::now() - 1s}).code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(a->chunks().size() + b->chunks().size(), 1u);
}

TEST(Fleet, ItsClockMayBeAnother) {
  Clock::time_point now = Clock::now() + 1h;
  Fleet fleet({.now = [&] { return now; }});
  ASSERT_TRUE(fleet.join(replica()).ok());
  EXPECT_TRUE(run(fleet, {.deadline = now + 1s}).ok());
  const Clock::time_point deadline = now + 1s;
  now += 2s;
  EXPECT_EQ(run(fleet, {.deadline = deadline}).code(), absl::StatusCode::kDeadlineExceeded);
}

TEST(Fleet, AReplicasFaultIsNotTheCallers) {
  const auto a = replica();
  const auto fleet = fleet_of({a});
  for (const auto code : {absl::StatusCode::kFailedPrecondition, absl::StatusCode::kUnimplemented,
                          absl::StatusCode::kUnauthenticated, absl::StatusCode::kNotFound, absl::StatusCode::kAborted,
                          absl::StatusCode::kUnknown, absl::StatusCode::kCancelled}) {
    a->fail_with(absl::Status(code, "x"));
    EXPECT_EQ(run(*fleet).code(), absl::StatusCode::kUnavailable) << code;
  }
}

TEST(Fleet, ReplicasLeaveAndJoin) {
  const auto a = replica(), b = replica();
  const auto fleet = fleet_of({a});
  a->hold();
  auto held = start(*fleet);
  fleet->leave(0);
  EXPECT_FALSE(fleet->ready());
  EXPECT_EQ(run(*fleet).code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(fleet->join(b).ok());
  EXPECT_TRUE(run(*fleet).ok());
  a->release();
  EXPECT_TRUE(held.get().ok());  // what was under way ends as usual
}

TEST(Fleet, ASlowOneIsHedged) {
  const auto a = replica(), b = replica();
  const auto fleet = fleet_of({a, b}, {.hedge_share = 0.05});
  for (int i = 0; i < 64; ++i) EXPECT_TRUE(run(*fleet).ok());
  const size_t before = a->chunks().size() + b->chunks().size();
  a->hold();
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(run(*fleet).ok());  // one of them was sent to the held one
  EXPECT_GE(a->chunks().size() + b->chunks().size(), before + 3);
  EXPECT_TRUE(a->held_token().stop_requested());
  a->release();
}

TEST(Fleet, HedgesHaveABudget) {
  const auto a = replica(), b = replica();
  const auto fleet = fleet_of({a, b}, {.hedge_share = 0.05});
  for (int i = 0; i < 64; ++i) EXPECT_TRUE(run(*fleet).ok());
  const size_t before = a->chunks().size() + b->chunks().size();
  a->hold(), b->hold();
  std::vector<std::future<absl::StatusOr<tulip::Reply>>> all;
  for (int i = 0; i < 40; ++i) all.push_back(start(*fleet));
  std::this_thread::sleep_for(100ms);  // all are slow by now
  EXPECT_LE(a->chunks().size() + b->chunks().size(), before + 40 + 7);
  a->release(), b->release();
  for (auto& one : all) EXPECT_TRUE(one.get().ok());
}

}  // namespace
}  // namespace bouquet::ivy
