// Order and time of tasks.
#include "simulate/event_loop.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::simulate {
namespace {

using namespace std::chrono_literals;

TEST(EventLoop, TasksRunAtTheirTimeAndThenInTheOrderGiven) {
  EventLoop loop;
  const Clock::time_point start = loop.now();
  std::vector<std::pair<int, Clock::duration>> seen;
  const auto note = [&](int name) { return [&, name] { seen.emplace_back(name, loop.now() - start); }; };
  loop.after(2s, note(3));
  loop.after(1s, note(1));
  loop.after(1s, note(2));
  loop.run();
  EXPECT_THAT(seen, testing::ElementsAre(std::pair(1, 1s), std::pair(2, 1s), std::pair(3, 2s)));
  EXPECT_FALSE(loop.step());
}

TEST(EventLoop, ATaskMayGiveOthers) {
  EventLoop loop;
  const Clock::time_point start = loop.now();
  int left = 1000;
  std::function<void()> next = [&] {
    if (--left > 0) loop.after(1ms, next);
  };
  loop.after(1ms, next);
  loop.run();
  EXPECT_EQ(left, 0);
  EXPECT_EQ(loop.now() - start, 1s);
}

}  // namespace
}  // namespace bouquet::simulate
