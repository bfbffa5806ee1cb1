// Readers keep what they have.
#include "base/current.h"

#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace bouquet {
namespace {

TEST(Current, ReadersKeepTheOneTheyGot) {
  Current<std::string> current(std::make_shared<const std::string>("old"));
  const auto held = current.get();
  current.set(std::make_shared<const std::string>("new"));
  EXPECT_EQ(*held, "old");
  EXPECT_EQ(*current.get(), "new");
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Current, MayBeReplacedWhileItIsRead) {
  Current<int> current(std::make_shared<const int>(0));
  std::thread writer([&] {
    for (int i = 1; i <= 1000; ++i) current.set(std::make_shared<const int>(i));
  });
  int last = 0;
  while (last < 1000) {
    const int now = *current.get();
    EXPECT_GE(now, last);
    last = now;
  }
  writer.join();
}

}  // namespace
}  // namespace bouquet
