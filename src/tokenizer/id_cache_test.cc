// What was put in comes out, nothing else does, whatever takes its place.
#include "tokenizer/id_cache.h"

#include <map>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

using Ids = std::vector<int32_t>;

IdCache::Key key_of(const IdCache& cache, std::string_view text, uint8_t kind) {
  IdCache::Key key;
  cache.make_key(text, text.size(), kind, &key);
  return key;
}

std::optional<Ids> find(const IdCache& cache, std::string_view text, uint8_t kind = 0) {
  int32_t out[IdCache::kMostIds];
  const int32_t count = cache.find(key_of(cache, text, kind), text, out);
  if (count < 0) return std::nullopt;
  return Ids(out, out + count);
}

void put(IdCache* cache, std::string_view text, const Ids& ids, uint8_t kind = 0) {
  cache->put(key_of(*cache, text, kind), text, ids);
}

TEST(IdCache, EverySizeOfTextAndIds) {
  IdCache cache(1 << 15);
  for (size_t size = 1; size <= IdCache::kLongestText; ++size) {
    for (size_t count = 0; count <= IdCache::kMostIds; ++count) {
      const std::string text = std::string(size - 1, 'x') + static_cast<char>('a' + count);
      const Ids ids(count, static_cast<int32_t>(size));
      put(&cache, text, ids);
      EXPECT_EQ(find(cache, text), ids) << size << " bytes, " << count << " ids";
    }
  }
}

TEST(IdCache, TooManyIdsAreNotKept) {
  IdCache cache(1 << 15);
  put(&cache, "word", Ids(IdCache::kMostIds + 1, 1));
  EXPECT_EQ(find(cache, "word"), std::nullopt);
}

TEST(IdCache, KindsAndZeroBytesCount) {
  IdCache cache(1 << 15);
  put(&cache, "word", {1}, 0);
  put(&cache, "word", {2}, 3);
  put(&cache, std::string("a\0", 2), {3});
  EXPECT_EQ(find(cache, "word", 0), Ids{1});
  EXPECT_EQ(find(cache, "word", 3), Ids{2});
  EXPECT_EQ(find(cache, "word", 1), std::nullopt);
  EXPECT_EQ(find(cache, "a"), std::nullopt);
  EXPECT_EQ(find(cache, std::string("a\0\0", 3)), std::nullopt);
  EXPECT_EQ(find(cache, std::string("a\0", 2)), Ids{3});
}

TEST(IdCache, AKeyIsTheSameWhereMoreMayBeRead) {
  IdCache cache(1 << 15);
  const std::string text = "some words and more behind them";
  for (size_t size = 1; size <= 20; ++size) {
    IdCache::Key near, far;
    cache.make_key(text.substr(0, size), size, 1, &near);
    cache.make_key(std::string_view(text).substr(0, size), text.size(), 1, &far);
    EXPECT_EQ(std::tie(near.low, near.high, near.hash, near.tag), std::tie(far.low, far.high, far.hash, far.tag));
  }
}

TEST(IdCache, IsNeverWrongWhenFull) {
  IdCache cache(1 << 15);
  std::map<std::string, Ids> kept;
  std::mt19937 random(3);
  size_t found = 0;
  for (int i = 0; i < 400000; ++i) {
    std::string text(1 + random() % (i % 4 == 0 ? 40 : 4), ' ');
    for (char& c : text) c = static_cast<char>('a' + random() % 20);
    const auto known = kept.find(text);
    const std::optional<Ids> ids = find(cache, text);
    if (known == kept.end()) {
      EXPECT_EQ(ids, std::nullopt);
      put(&cache, text, kept[text] = Ids(1 + random() % 6, i));
    } else if (ids) {
      ++found;
      EXPECT_EQ(*ids, known->second);
    }
  }
  EXPECT_GT(found, 10000u);
}

TEST(IdCachePool, LendsTheLastOneBackFirst) {
  IdCachePool pool(1 << 10);
  const IdCache* first = nullptr;
  {
    const IdCachePool::Lease a(&pool), b(&pool);
    EXPECT_NE(&*a, &*b);
    first = &*a;
  }
  const IdCachePool::Lease again(&pool);
  EXPECT_EQ(&*again, first);
}

}  // namespace
}  // namespace bouquet::tokenizer
