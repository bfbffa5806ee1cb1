// A few thousand random comparisons; tests/fuzz/tokenizer_differential_fuzz.cc makes more of the same.
#include "tokenizer/differential.h"

#include <random>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

void compare_many(std::string (*compare)(std::span<const uint8_t>), int cases) {
  std::mt19937 random(1);
  for (int i = 0; i < cases; ++i) {
    std::vector<uint8_t> choices(random() % 600);
    for (uint8_t& choice : choices) choice = static_cast<uint8_t>(random());
    const std::string found = compare(choices);
    ASSERT_EQ(found, "") << "case " << i;
  }
}

TEST(Differential, Models) { compare_many(compare_model, 1500); }
TEST(Differential, Patterns) { compare_many(compare_pattern, 3000); }
TEST(Differential, SmallPipelines) { compare_many(compare_small_pipeline, 1000); }
TEST(Differential, AnyPipelines) { compare_many(compare_any_pipeline, 500); }

}  // namespace
}  // namespace bouquet::tokenizer
