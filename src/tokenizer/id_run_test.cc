// What the cache has, what it has not, what is never kept, and where to stop.
#include "tokenizer/id_run.h"

#include <string>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

using Ids = std::vector<int32_t>;

// The ids of a piece are its bytes.
struct ByteMaker {
  std::string_view text;
  IdRun* run;
  size_t* made;

  void prepare(std::span<const Piece>, const IdCache::Key*) const {}
  bool make(const Piece& piece) const {
    ++*made;
    const std::string_view bytes = text.substr(piece.span.begin, piece.span.end - piece.span.begin);
    run->append(Ids(bytes.begin(), bytes.end()));
    return true;
  }
};

class IdRunTest : public testing::Test {
 protected:
  Ids ids_of(const std::string& text, const std::vector<Piece>& pieces, size_t enough = 1 << 20) {
    IdRun run{enough, cache_, array_};
    made_ = 0;
    all_ = run.look_up(text, pieces, 0, ByteMaker{text, &run, &made_});
    return Ids(array_.begin(), array_.begin() + static_cast<std::ptrdiff_t>(run.size));
  }

  IdCache cache_{1 << 10};
  std::vector<int32_t> array_;
  size_t made_ = 0;
  bool all_ = false;
};

TEST_F(IdRunTest, WhatWasMadeIsNotMadeAgain) {
  std::string text;
  std::vector<Piece> pieces;
  Ids expected;
  for (uint32_t i = 0; i < 1000; ++i) {  // several blocks
    const std::string word = "w" + std::to_string(i % 300);
    const auto begin = static_cast<uint32_t>(text.size());
    text += word;
    pieces.push_back({{begin, begin + static_cast<uint32_t>(word.size())}});
    expected.insert(expected.end(), word.begin(), word.end());
  }
  EXPECT_EQ(ids_of(text, pieces), expected);
  EXPECT_LE(made_, 310);  // two may share a slot
  EXPECT_TRUE(all_);
  EXPECT_EQ(ids_of(text, pieces), expected);
  EXPECT_LE(made_, 10);
}

TEST_F(IdRunTest, LongPiecesAndAddedTokensAreNotKept) {
  const std::string text = std::string(100, 'x') + "<s>";
  const std::vector<Piece> pieces = {{{0, 100}}, {{100, 103}, 7}, {{0, 100}}};
  for (int round = 0; round < 2; ++round) {
    const Ids ids = ids_of(text, pieces);
    EXPECT_EQ(ids.size(), 201);
    EXPECT_EQ(ids[100], 7);
    EXPECT_EQ(made_, 2);
  }
}

TEST_F(IdRunTest, StopsBehindThePieceThatIsEnough) {
  const std::string text = "abc";
  const std::vector<Piece> pieces = {{{0, 2}}, {{0, 3}}, {{2, 3}}};
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(ids_of(text, pieces, 3), (Ids{'a', 'b', 'a', 'b', 'c'}));
    EXPECT_FALSE(all_);
  }
}

}  // namespace
}  // namespace bouquet::tokenizer
