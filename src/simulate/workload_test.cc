// Sizes, lengths and the rate are as described, and the same for the same seed.
#include "simulate/workload.h"

#include <numeric>

#include "gtest/gtest.h"

namespace bouquet::simulate {
namespace {

TEST(Workload, SizesAndLengthsAreAsDescribed) {
  Workload workload({.requests = 200'000}, 1000);
  size_t ones = 0, tens = 0, most = 0, texts = 0;
  double tokens = 0;
  while (const auto request = workload.next()) {
    const size_t count = request->lengths.size();
    ones += count == 1;
    tens += count >= 10;
    most = std::max(most, count);
    texts += count;
    tokens += std::accumulate(request->lengths.begin(), request->lengths.end(), 0.0);
    for (const int32_t length : request->lengths) ASSERT_TRUE(length >= 8 && length <= 256) << length;
  }
  EXPECT_NEAR(static_cast<double>(ones) / 200'000, 0.5, 0.01);
  EXPECT_NEAR(static_cast<double>(tens) / 200'000, 0.1, 0.01);
  EXPECT_GT(most, 2000u);
  EXPECT_LE(most, 2048u);
  EXPECT_NEAR(static_cast<double>(texts) / 200'000, workload.mean_texts(), 0.5);
  EXPECT_NEAR(tokens / static_cast<double>(texts), workload.mean_tokens(), 0.5);
}

TEST(Workload, TokensComeAtTheRateWanted) {
  Workload workload({.requests = 100'000}, 1000);
  double seconds = 0;
  for (int i = 0; i < 100'000; ++i) seconds += to_seconds(workload.gap());
  EXPECT_NEAR(seconds, workload.seconds(), 0.02 * workload.seconds());
  EXPECT_NEAR(workload.seconds() * 1000, 100'000 * workload.mean_texts() * workload.mean_tokens(), 1);
}

TEST(Workload, OneTextEachWhereNoMoreAreWanted) {
  Workload workload({.requests = 100, .most_texts = 1, .shortest = 5, .longest = 5}, 1000);
  EXPECT_EQ(workload.mean_texts(), 1);
  while (const auto request = workload.next()) EXPECT_EQ(request->lengths, std::vector<int32_t>{5});
}

TEST(Workload, TheSameForTheSameSeed) {
  Workload a({.seed = 7}, 1000), b({.seed = 7}, 1000), c({.seed = 8}, 1000);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const auto one = a.next()->lengths;
    EXPECT_EQ(one, b.next()->lengths);
    EXPECT_EQ(a.gap(), b.gap());
    differs |= one != c.next()->lengths;
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace bouquet::simulate
