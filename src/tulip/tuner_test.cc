// The decision from given times, and the cache file's way out and back.
#include "tulip/tuner.h"

#include "base/testing/scratch_folder.h"
#include "gtest/gtest.h"

namespace bouquet::tulip {
namespace {

namespace fs = std::filesystem;

TEST(Tuner, DecidesFromMedians) {
  const std::vector<ProbeTimes> times = {
      {16, {2.0, 2.0, 9.0}, {1.0, 1.0, 1.0}},           // 16 a second; the graph is twice as fast
      {128, {4.0, 4.0, 4.0}, {3.9, 3.9, 3.9}},          // 33
      {512, {14.0, 14.0, 14.0}, {14.0, 14.0, 14.0}},    // 36.6
      {1024, {27.8, 27.8, 27.8}, {27.9, 27.9, 27.9}}};  // 36.8
  const Tuning tuning = decide(times);
  EXPECT_EQ(tuning.inflection_tokens, 128);
  EXPECT_EQ(tuning.saturation_tokens, 512);
  EXPECT_EQ(tuning.bulk_tokens, 512);
}

TEST(Tuner, TheCacheKeepsAndChecks) {
  const ScratchFolder cache;
  EXPECT_FALSE(load_tuning(cache, "k").has_value());
  save_tuning(cache, "k", {64, 512, 256});
  const auto read = load_tuning(cache, "k");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->saturation_tokens, 64);
  EXPECT_EQ(read->inflection_tokens, 256);
  cache.write("tuning/k.json", R"({"saturation_tokens":-5,"bulk_tokens":1,"inflection_tokens":1})");
  EXPECT_FALSE(load_tuning(cache, "k").has_value());
  save_tuning("/proc/nowhere", "k", {});  // best effort
}

}  // namespace
}  // namespace bouquet::tulip
