// Requests are cut or not, joined, and answered once.
#include "simulate/gateway.h"

#include "gtest/gtest.h"
#include "simulate/link.h"

namespace bouquet::simulate {
namespace {

using namespace std::chrono_literals;

class SimulatedGateway : public testing::Test {
 protected:
  void SetUp() override {
    for (Replica* replica : {&a_, &b_}) ASSERT_TRUE(fleet_->join(std::make_shared<Link>(loop_, *replica, cost_)).ok());
  }
  Answer run(const std::vector<int32_t>& lengths, GatewayOptions options = {.chunk_tokens = 100}) {
    Gateway gateway(loop_, fleet_, options);
    int answers = 0;
    Answer answer;
    gateway.run({.lengths = lengths}, [&](const Answer& its) {
      answer = its;
      ++answers;
    });
    loop_.run();
    EXPECT_EQ(answers, 1);
    return answer;
  }

  EventLoop loop_;
  const Cost cost_ = {.tokens_per_second = 1000, .batch_ms = 0, .hop_ms = 2, .batch_tokens = 100, .bulk_tokens = 100};
  Replica a_{loop_, {cost_, {}}}, b_{loop_, {cost_, {}}};
  const std::shared_ptr<ivy::Fleet> fleet_ =
      std::make_shared<ivy::Fleet>(ivy::FleetOptions{.now = [this] { return loop_.now(); }});
};

TEST_F(SimulatedGateway, AShortRequestIsOneChunk) {
  const Answer answer = run({30});
  EXPECT_TRUE(answer.status.ok() && answer.complete && !answer.bulk);
  EXPECT_EQ(answer.latency, 32ms);
  EXPECT_EQ(answer.chunks, 1u);
  EXPECT_EQ(answer.attempts, 1u);
  EXPECT_EQ(answer.tokens, 30);
}

TEST_F(SimulatedGateway, ALongOneIsSpreadAndJoined) {
  const std::vector<int32_t> lengths(40, 50);
  const Answer answer = run(lengths);
  EXPECT_TRUE(answer.status.ok() && answer.complete && answer.bulk);
  EXPECT_EQ(answer.chunks, 20u);
  EXPECT_LT(answer.latency, 1100ms);  // of 2 s on one
  EXPECT_EQ(a_.counts().tokens + b_.counts().tokens, 2000u);
  EXPECT_GT(a_.counts().tokens, 800u);
}

TEST_F(SimulatedGateway, WholeMeansOneReplica) {
  const Answer answer = run(std::vector<int32_t>(40, 50), {.chunk_tokens = 100, .chunked = false});
  EXPECT_TRUE(answer.status.ok() && answer.complete && answer.bulk);
  EXPECT_EQ(answer.chunks, 1u);
  EXPECT_EQ(answer.latency, 2002ms);
}

TEST_F(SimulatedGateway, WhatACrashLosesIsSentAgain) {
  loop_.after(50ms, [&] { a_.crash(loop_.now()); });
  const Answer answer = run(std::vector<int32_t>(40, 50));
  EXPECT_TRUE(answer.status.ok() && answer.complete);
  EXPECT_GT(answer.attempts, answer.chunks);
}

TEST_F(SimulatedGateway, NobodyThereIsAnError) {
  a_.crash(loop_.now());
  b_.crash(loop_.now());
  EXPECT_TRUE(absl::IsUnavailable(run({30}).status));
}

TEST_F(SimulatedGateway, TimeRunsOut) {
  const Answer answer = run(std::vector<int32_t>(40, 50), {.chunk_tokens = 100, .timeout_seconds = 0.5});
  EXPECT_TRUE(absl::IsDeadlineExceeded(answer.status));
  EXPECT_LT(answer.latency, 700ms);
}

}  // namespace
}  // namespace bouquet::simulate
