// What was put in comes out, nothing else does, whatever takes its place.
#include "tokenizer/id_cache.h"

#include <map>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

using Ids = std::vector<int32_t>;

Piece whole(std::string_view text) { return {{0, static_cast<uint32_t>(text.size())}}; }

IdCache::Key key_of(const IdCache& cache, std::string_view text, uint8_t kind) {
  IdCache::Key key;
  const Piece piece = whole(text);
  cache.fetch(text, std::span(&piece, 1), kind, &key);
  return key;
}

std::optional<Ids> find(const IdCache& cache, std::string_view text, uint8_t kind = 0) {
  int32_t out[IdCache::kMostIds];
  const IdCache::Key key = key_of(cache, text, kind);
  const Piece piece = whole(text);
  const IdCache::Found found = cache.find(text, std::span(&piece, 1), &key, out, out + 1);
  if (found.pieces == 0) return std::nullopt;
  return Ids(out, found.end);
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
    const std::string_view start = std::string_view(text).substr(0, size);
    const IdCache::Key near = key_of(cache, start, 1);
    IdCache::Key far;
    const Piece piece = whole(start);
    cache.fetch(text, std::span(&piece, 1), 1, &far);
    EXPECT_EQ(std::tie(near.low, near.high, near.hash, near.tag), std::tie(far.low, far.high, far.hash, far.tag));
  }
}

TEST(IdCache, ManyPiecesUntilOneIsNotThere) {
  IdCache cache(1 << 10);
  const std::string text = "a bc def and a long piece of text, and the rest";
  const std::vector<Piece> pieces = {{{0, 1}}, {{2, 4}}, {{13, 34}}, {{5, 8}}, {{0, 1}, 7}, {{0, 1}}};
  std::vector<IdCache::Key> keys(pieces.size());
  cache.fetch(text, pieces, 0, keys.data());
  for (size_t i : {0, 1, 2, 3}) {
    const Span span = pieces[i].span;
    cache.put(keys[i], std::string_view(text).substr(span.begin, span.end - span.begin), Ids(i + 1, span.begin));
  }
  int32_t out[100];
  IdCache::Found found = cache.find(text, pieces, keys.data(), out, out + 100);
  EXPECT_EQ(found.pieces, 4);  // what has an id already is not kept
  EXPECT_EQ(Ids(out, found.end), (Ids{0, 2, 2, 13, 13, 13, 5, 5, 5, 5}));
  found = cache.find(text, pieces, keys.data(), out, out + 2);
  EXPECT_EQ(found.pieces, 2);
  EXPECT_EQ(Ids(out, found.end), (Ids{0, 2, 2}));
}

TEST(IdCache, PutTwiceTakesNoOthersPlace) {
  IdCache cache(1);  // all share one pair
  put(&cache, "one", {1});
  put(&cache, "two", {2});
  put(&cache, "two", {2});
  EXPECT_EQ(find(cache, "one"), Ids{1});
  EXPECT_EQ(find(cache, "two"), Ids{2});
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
  IdCachePool pool(1 << 10, 1);
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
