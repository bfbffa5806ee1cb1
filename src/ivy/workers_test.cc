// Order, refusal when full, and completion before destruction.
#include "ivy/workers.h"

#include <future>

#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

TEST(Workers, FinishesAllInOrderBeforeItGoes) {
  std::vector<int> done;
  {
    Workers workers("test", 1, 100);
    for (int i = 0; i < 50; ++i) workers.post([&done, i] { done.push_back(i); });
  }
  ASSERT_EQ(done.size(), 50u);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(done[static_cast<size_t>(i)], i);
}

TEST(Workers, RefusesWhenFull) {
  std::promise<void> started, release;
  Workers workers("test", 1, 1);
  workers.post([&] {
    started.set_value();
    release.get_future().wait();
  });
  started.get_future().wait();
  EXPECT_TRUE(workers.try_post([] {}));
  EXPECT_FALSE(workers.try_post([] {}));
  workers.post([] {});
  release.set_value();
}

}  // namespace
}  // namespace bouquet::ivy
