// Claims that models make, and that files made to break a loader do.
#include "rose/models/sizes.h"

#include "gtest/gtest.h"

namespace bouquet::rose {
namespace {

TEST(ClaimedSizes, RefusesWhatCannotBe) {
  const ClaimedSizes good{151936, 28, 1024, 3072, {16, 8, 128}};
  EXPECT_TRUE(check_claimed_sizes("c", good).ok());
  const auto refused = [&](auto change) {
    ClaimedSizes bad = good;
    change(bad);
    return absl::IsInvalidArgument(check_claimed_sizes("c", bad));
  };
  EXPECT_TRUE(refused([](ClaimedSizes& s) { s.vocab_size = 0; }));
  EXPECT_TRUE(refused([](ClaimedSizes& s) { s.layers = -1; }));
  EXPECT_TRUE(refused([](ClaimedSizes& s) { s.hidden = 1 << 30; }));
  EXPECT_TRUE(refused([](ClaimedSizes& s) { s.intermediate = -4; }));
  EXPECT_TRUE(refused([](ClaimedSizes& s) { s.shape = {16, 5, 64}; }));
  EXPECT_TRUE(refused([](ClaimedSizes& s) { s.shape = {65537, 65537, 65536}; }));  // wraps in 32 bits
  EXPECT_TRUE(refused([](ClaimedSizes& s) { s.shape = {0, 0, 64}; }));
}

}  // namespace
}  // namespace bouquet::rose
