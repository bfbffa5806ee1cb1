// Rows come back under exactly their own key; the bound holds; the least recently used go first.
#include "ivy/cache/row_cache.h"

#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

RowKey key(int32_t id) { return {.weights_fingerprint = 1, .ids = {1, id, 2}, .token_types = {}, .spec = {}}; }

TEST(RowCache, EveryPartOfTheKeyCounts) {
  RowCache cache(1 << 20);
  const std::vector<float> row = {1, 2};
  cache.keep(key(7), row);
  ASSERT_NE(cache.find(key(7)), nullptr);
  EXPECT_EQ(*cache.find(key(7)), row);
  RowKey other = key(7);
  other.weights_fingerprint = 2;
  EXPECT_EQ(cache.find(other), nullptr);
  other = key(7);
  other.token_types = {0, 0, 1};
  EXPECT_EQ(cache.find(other), nullptr);
  other = key(7);
  other.spec.dimensions = 1;
  EXPECT_EQ(cache.find(other), nullptr);
  other = key(7);
  other.spec.normalize = false;
  EXPECT_EQ(cache.find(other), nullptr);
  EXPECT_EQ(cache.find(key(8)), nullptr);
}

TEST(RowCache, WhatWasUsedLeastRecentlyGoes) {
  RowCache cache(3 * 300);
  const std::vector<float> row = {1};
  EXPECT_EQ(cache.keep(key(1), row) + cache.keep(key(2), row) + cache.keep(key(3), row), 0u);
  EXPECT_NE(cache.find(key(1)), nullptr);
  EXPECT_EQ(cache.keep(key(4), row), 1u);
  EXPECT_EQ(cache.find(key(2)), nullptr);
  EXPECT_NE(cache.find(key(1)), nullptr);
  EXPECT_EQ(cache.size(), 3u);
  EXPECT_LE(cache.bytes(), 900u);
}

TEST(RowCache, WhatHasNoRoomIsNotKept) {
  RowCache cache(1000);
  EXPECT_EQ(cache.keep(key(1), std::vector<float>(1000)), 0u);
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(RowCache, KeepingTwiceChangesNothing) {
  RowCache cache(1 << 20);
  cache.keep(key(1), std::vector<float>{1});
  const size_t bytes = cache.bytes();
  cache.keep(key(1), std::vector<float>{1});
  EXPECT_EQ(cache.bytes(), bytes);
}

}  // namespace
}  // namespace bouquet::ivy
