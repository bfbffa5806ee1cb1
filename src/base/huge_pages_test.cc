// Alignment, and that a vector on it behaves as any other.
#include "base/huge_pages.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace bouquet {
namespace {

TEST(HugePages, LargeVectorsBeginOnHugePages) {
  const HugeVector<uint32_t> large(kHugePage);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(large.data()) % kHugePage, 0u);
}

TEST(HugePages, VectorsGrowAndKeepTheirValues) {
  struct alignas(64) Line {
    uint64_t value;
  };
  HugeVector<Line> lines;
  for (uint64_t i = 0; i < 100000; ++i) lines.push_back({i});
  EXPECT_EQ(reinterpret_cast<uintptr_t>(lines.data()) % alignof(Line), 0u);
  for (uint64_t i = 0; i < lines.size(); ++i) ASSERT_EQ(lines[i].value, i);
}

TEST(HugePages, RoundsUp) {
  EXPECT_EQ(round_up(0, 8), 0u);
  EXPECT_EQ(round_up(1, 8), 8u);
  EXPECT_EQ(round_up(16, 8), 16u);
}

}  // namespace
}  // namespace bouquet
