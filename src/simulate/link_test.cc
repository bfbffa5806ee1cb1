// A hop each way, and when a failure is heard of.
#include "simulate/link.h"

#include "gtest/gtest.h"

namespace bouquet::simulate {
namespace {

using namespace std::chrono_literals;

class SimulatedLink : public testing::Test {
 protected:
  void send() {
    link_.run({.ids = {1}, .lengths = {100}}, {}, [this](absl::StatusOr<tulip::Reply> reply) {
      status_ = reply.status();
      heard_ = loop_.now() - start_;
    });
  }

  EventLoop loop_;
  const Clock::time_point start_ = loop_.now();
  const Cost cost_ = {.tokens_per_second = 1000, .batch_ms = 0, .hop_ms = 4};
  Replica replica_{loop_, {cost_, {}}};
  Link link_{loop_, replica_, cost_};
  absl::Status status_ = absl::UnknownError("not yet");
  Clock::duration heard_{0};
};

TEST_F(SimulatedLink, EachWayTakesHalfAHop) {
  send();
  loop_.run();
  EXPECT_TRUE(status_.ok());
  EXPECT_EQ(heard_, 104ms);
}

TEST_F(SimulatedLink, ACrashIsHeardOfAtOnce) {
  send();
  loop_.after(50ms, [&] { replica_.crash(loop_.now()); });
  loop_.run();
  EXPECT_EQ(status_.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(heard_, 52ms);
  EXPECT_FALSE(link_.ready());
  const Clock::duration again = loop_.now() - start_;
  send();
  loop_.run();
  EXPECT_EQ(heard_, again + 4ms);
}

TEST_F(SimulatedLink, AMachineThatIsGoneIsNoticedLater) {
  send();
  loop_.after(50ms, [&] {
    replica_.crash(loop_.now() + 2s);
    EXPECT_TRUE(link_.ready());
  });
  loop_.run();
  EXPECT_EQ(status_.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(heard_, 2050ms);
  EXPECT_FALSE(link_.ready());
}

}  // namespace
}  // namespace bouquet::simulate
