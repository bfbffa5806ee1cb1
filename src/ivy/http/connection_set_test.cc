// Draining reaches every connection, and loses patience with those that stay.
#include "ivy/http/connection_set.h"

#include <atomic>
#include <memory>
#include <thread>

#include "gtest/gtest.h"

namespace bouquet::ivy::http {
namespace {

struct Fake : Drainable {
  void drain() override { drained = true; }
  void abort() override { aborted = true; }
  std::atomic<bool> drained = false, aborted = false;
};

TEST(ConnectionSet, RefusesWhenFullAndWhenDraining) {
  ConnectionSet set(1);
  const auto a = std::make_shared<Fake>(), b = std::make_shared<Fake>();
  {
    ASSERT_TRUE(set.add(a));
    const Membership place(set, a.get());
    EXPECT_FALSE(set.add(b));
  }
  EXPECT_EQ(set.size(), 0u);
  set.drain(std::chrono::milliseconds(0));
  EXPECT_FALSE(set.add(b));
}

TEST(ConnectionSet, CutsOffThoseThatStay) {
  ConnectionSet set(2);
  const auto quick = std::make_shared<Fake>(), stuck = std::make_shared<Fake>();
  set.add(quick);
  set.add(stuck);
  std::thread drainer([&] { set.drain(std::chrono::milliseconds(50)); });
  while (!quick->drained) std::this_thread::yield();
  set.remove(quick.get());
  while (!stuck->aborted) std::this_thread::yield();
  set.remove(stuck.get());
  drainer.join();
  EXPECT_TRUE(stuck->drained);
  EXPECT_FALSE(quick->aborted);
}

}  // namespace
}  // namespace bouquet::ivy::http
