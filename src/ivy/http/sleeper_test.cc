// News, deadlines, and what is left when the event loop goes.
#include "ivy/http/sleeper.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <optional>
#include <vector>

#include "gtest/gtest.h"

namespace bouquet::ivy::http {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Timer = asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, asio::io_context::executor_type>;

struct Owner {
  explicit Owner(asio::io_context& io) : sleeper(io.get_executor()) {}
  Sleeper<Timer> sleeper;
  std::vector<bool> news;
};

// Sleeps once for each of `naps`, one after the other.
asio::awaitable<void> sleep(std::shared_ptr<Owner> owner, std::vector<milliseconds> naps) {
  for (const milliseconds nap : naps) owner->news.push_back(co_await owner->sleeper.until(Clock::now() + nap, owner));
}

std::shared_ptr<Owner> start(asio::io_context& io, std::vector<milliseconds> naps) {
  auto owner = std::make_shared<Owner>(io);
  asio::co_spawn(io, sleep(owner, std::move(naps)), asio::detached);
  io.poll();
  return owner;
}

TEST(Sleeper, NewsResumeInPlace) {
  asio::io_context io;
  const auto owner = start(io, {milliseconds(60'000)});
  EXPECT_TRUE(owner->news.empty());
  owner->sleeper.wake();
  EXPECT_EQ(owner->news, std::vector<bool>{true});
  owner->sleeper.wake();  // nobody sleeps
}

TEST(Sleeper, TheDeadlineEndsASleep) {
  asio::io_context io;
  const auto begin = Clock::now();
  const auto owner = start(io, {milliseconds(20)});
  io.run();
  EXPECT_EQ(owner->news, std::vector<bool>{false});
  EXPECT_GE(Clock::now() - begin, milliseconds(20));
}

TEST(Sleeper, AnOvertakenDeadlineEndsNothing) {
  asio::io_context io;
  const auto begin = Clock::now();
  const auto owner = start(io, {milliseconds(10), milliseconds(60)});  // the timer for the first runs on in the second
  owner->sleeper.wake();
  io.run();
  EXPECT_EQ(owner->news, (std::vector<bool>{true, false}));
  EXPECT_GE(Clock::now() - begin, milliseconds(60));
}

TEST(Sleeper, AnEarlierDeadlineIsKept) {
  asio::io_context io;
  const auto begin = Clock::now();
  const auto owner = start(io, {milliseconds(60'000), milliseconds(10), milliseconds(10)});
  owner->sleeper.wake();
  io.run();
  EXPECT_EQ(owner->news, (std::vector<bool>{true, false, false}));
  EXPECT_LT(Clock::now() - begin, milliseconds(30'000));
}

TEST(Sleeper, StopWakesAndLetsTheOwnerGo) {
  asio::io_context io;
  auto owner = start(io, {milliseconds(60'000)});
  const std::weak_ptr<Owner> left = owner;
  owner->sleeper.stop();
  EXPECT_EQ(owner->news, std::vector<bool>{true});
  owner.reset();
  io.restart();
  io.poll();
  EXPECT_TRUE(left.expired());
}

TEST(Sleeper, GoesWithTheEventLoop) {
  std::optional<asio::io_context> io(std::in_place);
  auto owner = start(*io, {milliseconds(60'000)});
  std::weak_ptr<Owner> left = owner;
  owner.reset();
  EXPECT_FALSE(left.expired());
  io.reset();
  EXPECT_TRUE(left.expired());
}

}  // namespace
}  // namespace bouquet::ivy::http
