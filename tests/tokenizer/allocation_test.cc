// Once buffers have grown to the size of the texts, encode_ids takes no memory: not for texts that came before, nor
// for new ones.
#include <cstdlib>

#include "gtest/gtest.h"
#include "tokenizer/allocation_count.h"
#include "tokenizer/random_text.h"
#include "tokenizer/small_pipelines.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::tokenizer {
namespace {

constexpr EncodeOptions kOptions[] = {
    {},
    {.add_special_tokens = false},
    {.max_length = 16},
    {.max_length = 256},
    {.max_length = 256, .truncation_side = TruncationSide::kLeft},
    {.max_length = 256, .literal_special_tokens = true},
};

// The text, and the same with bytes that are not UTF-8 in it.
void encode_all(const Tokenizer& tokenizer, const std::string& text, std::vector<int32_t>* ids) {
  thread_local std::string ill_formed;
  ill_formed.assign(text).append("\xFF\xE5\x8C");
  for (const EncodeOptions& options : kOptions) {
    tokenizer.encode_ids(text, options, ids);
    tokenizer.encode_ids(ill_formed, options, ids);
  }
}

uint64_t allocations_of(const Tokenizer& tokenizer, const std::string& text, std::vector<int32_t>* ids) {
  const uint64_t before = allocation_count();
  encode_all(tokenizer, text, ids);
  return allocation_count() - before;
}

// Longer words need not need more room: WordPiece gives up on them.
void warm_up(const Tokenizer& tokenizer, std::mt19937* random, std::vector<int32_t>* ids) {
  for (int i = 0; i < 10; ++i) {
    for (const size_t longest : {12, 60, 100, 800}) {
      encode_all(tokenizer, random_text(random, 12000 / longest, longest), ids);
    }
  }
}

void expect_none(const Tokenizer& tokenizer) {
  std::mt19937 random(1);
  std::vector<int32_t> ids;
  warm_up(tokenizer, &random, &ids);
  for (int i = 0; i < 50; ++i) {
    for (const std::string& text : {random_text(&random, 400, 12), random_text(&random, 10, 400)}) {
      EXPECT_EQ(allocations_of(tokenizer, text, &ids), 0) << "new, of " << text.size() << " bytes";
      EXPECT_EQ(allocations_of(tokenizer, text, &ids), 0) << "again, of " << text.size() << " bytes";
    }
  }
}

class AllocationTest : public testing::TestWithParam<SmallPipeline> {};

TEST_P(AllocationTest, NoneForIds) {
  if (GetParam().name == "BpeOfOtherRegex") GTEST_SKIP() << "Oniguruma takes memory for each search";
  const auto tokenizer = Tokenizer::from_json(GetParam().json);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  expect_none(**tokenizer);
}

INSTANTIATE_TEST_SUITE_P(All, AllocationTest, testing::ValuesIn(small_pipelines()),
                         [](const auto& test) { return test.param.name; });

TEST(Allocation, NoneForIdsOfTheModel) {
  const char* const model = std::getenv("BOUQUET_TEST_MODEL");
  if (model == nullptr || *model == '\0') GTEST_SKIP() << "BOUQUET_TEST_MODEL names no model";
  const auto tokenizer = Tokenizer::load_directory(model);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  expect_none(**tokenizer);
}

TEST(Allocation, IsCounted) {
  const uint64_t before = allocation_count();
  for (void* volatile memory : {std::malloc(8), std::calloc(8, 8), std::aligned_alloc(64, 128), operator new(8)}) {
    std::free(memory);
  }
  EXPECT_EQ(allocation_count() - before, 4);
}

}  // namespace
}  // namespace bouquet::tokenizer
