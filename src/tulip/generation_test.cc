// What steps take: oldest first, prompts in parts, newcomers as blocks come free; and that all blocks come back.
#include "tulip/generation.h"

#include <map>
#include <random>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::tulip {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int32_t kStop = 2;

std::vector<int32_t> ids(int32_t count) { return std::vector<int32_t>(static_cast<size_t>(count), 7); }

TEST(Generation, PromptsInPartsBesideRunningOnes) {
  Generation generation({.cache_blocks = 10, .table_width = 5, .max_tokens = 80, .sequences = 2, .step_tokens = 6},
                        {kStop});
  ASSERT_TRUE(generation.add({ids(4), 3}).ok());
  ASSERT_TRUE(generation.add({ids(9), 1}).ok());
  auto batch = generation.next();
  EXPECT_THAT(batch->cu_seqlens, ElementsAre(0, 4, 6));  // the rest of the step is the second prompt's beginning
  EXPECT_THAT(batch->past, ElementsAre(0, 0));
  auto words = generation.advance(std::vector<int32_t>{5, 99});
  ASSERT_EQ(words.size(), 1u);
  EXPECT_EQ(words[0].prompt, 0u);
  EXPECT_EQ(words[0].id, 5);
  EXPECT_FALSE(words[0].last);
  batch = generation.next();
  EXPECT_THAT(batch->ids, ElementsAre(5, 7, 7, 7, 7, 7));
  EXPECT_THAT(batch->past, ElementsAre(4, 2));
  words = generation.advance(std::vector<int32_t>{kStop, 99});
  ASSERT_EQ(words.size(), 1u);
  EXPECT_TRUE(words[0].last);
  batch = generation.next();
  EXPECT_THAT(batch->cu_seqlens, ElementsAre(0, 2));
  words = generation.advance(std::vector<int32_t>{8});
  ASSERT_EQ(words.size(), 1u);
  EXPECT_EQ(words[0].prompt, 1u);
  EXPECT_TRUE(words[0].last);  // as many as were wanted
  EXPECT_FALSE(generation.next());
  EXPECT_EQ(generation.free_blocks(), 10);
}

TEST(Generation, WaitsForBlocks) {
  Generation generation({.cache_blocks = 3, .table_width = 3, .max_tokens = 48, .sequences = 4, .step_tokens = 64}, {});
  ASSERT_TRUE(generation.add({ids(17), 1}).ok());  // 2 blocks: the last word needs no place
  ASSERT_TRUE(generation.add({ids(20), 2}).ok());  // 2
  ASSERT_TRUE(generation.add({ids(1), 1}).ok());   // 1, but it came later
  ASSERT_EQ(generation.next()->specs.size(), 1u);
  generation.advance(std::vector<int32_t>{1});
  const auto batch = generation.next();
  ASSERT_EQ(batch->specs.size(), 2u);
  EXPECT_THAT(batch->cu_seqlens, ElementsAre(0, 20, 21));
}

TEST(Generation, RefusesWhatNeverFits) {
  Generation generation({.cache_blocks = 4, .table_width = 2, .max_tokens = 100, .sequences = 1, .step_tokens = 8}, {});
  EXPECT_EQ(generation.add({{}, 1}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(generation.add({{1}, 0}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(generation.add({ids(32), 1}).ok());
  const absl::Status full = generation.add({ids(32), 2});
  EXPECT_EQ(full.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(full.message()), HasSubstr("behind 32 tokens there is no room for 2 words, only for 1"));
}

// Blocks are whole, a model's positions need not be.
TEST(Generation, StaysWithinThePositions) {
  Generation generation({.cache_blocks = 4, .table_width = 2, .max_tokens = 20, .sequences = 1, .step_tokens = 8}, {});
  EXPECT_EQ(generation.room_behind(15), 5);
  EXPECT_EQ(generation.room_behind(21), 0);
  EXPECT_TRUE(generation.add({ids(15), 5}).ok());
  EXPECT_EQ(generation.add({ids(15), 6}).code(), absl::StatusCode::kResourceExhausted);
}

// Whatever comes: everyone gets all words, no two sequences share a block, and a step stays within its bounds.
TEST(Generation, HoldsForRandomPrompts) {
  std::mt19937 random(3);
  const GenerationLimits limits{
      .cache_blocks = 20, .table_width = 6, .max_tokens = 96, .sequences = 5, .step_tokens = 11};
  Generation generation(limits, {});
  std::map<size_t, int32_t> wanted;
  for (size_t i = 0; i < 200; ++i) {
    wanted[i] = static_cast<int32_t>(random() % 30 + 1);
    ASSERT_TRUE(generation.add({ids(static_cast<int32_t>(random() % 60 + 1)), wanted[i]}).ok());
  }
  while (const auto batch = generation.next()) {
    ASSERT_LE(batch->ids.size(), 11u);
    ASSERT_LE(batch->specs.size(), 5u);
    std::set<int32_t> blocks;
    for (size_t s = 0; s < batch->specs.size(); ++s) {
      const int32_t tokens = batch->past[s] + batch->cu_seqlens[s + 1] - batch->cu_seqlens[s];
      for (int32_t b = 0; b < (tokens + rose::kBlockTokens - 1) / rose::kBlockTokens; ++b) {
        ASSERT_TRUE(blocks.insert(batch->tables[s * 6 + static_cast<size_t>(b)]).second);
      }
    }
    for (const Generated& word : generation.advance(std::vector<int32_t>(batch->specs.size(), 1))) {
      EXPECT_EQ(word.last, --wanted[word.prompt] == 0);
    }
  }
  for (const auto& [prompt, left] : wanted) EXPECT_EQ(left, 0) << prompt;
  EXPECT_EQ(generation.free_blocks(), 20);
}

}  // namespace
}  // namespace bouquet::tulip
