// Names of other servers to the prompts of a model.
#include "ivy/api/prompts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

TEST(Prompts, AreFoundByEveryName) {
  Recipe recipe;
  recipe.prompts = {{"query", "q "}, {"document", "d "}, {"retrieval.code", "c "}};
  EXPECT_EQ(*prompt_for("task", "query", recipe), "query");
  EXPECT_EQ(*prompt_for("task", "search_query", recipe), "search_query");  // an alias that find_prompt() knows
  EXPECT_EQ(*prompt_for("task", "retrieval.query", recipe), "query");
  EXPECT_EQ(*prompt_for("task", "retrieval.passage", recipe), "passage");
  EXPECT_EQ(*prompt_for("task", "retrieval.code", recipe), "retrieval.code");
  const absl::Status unknown = prompt_for("task", "text-matching", recipe).status();
  EXPECT_EQ(field_of(unknown), "task");
  EXPECT_THAT(std::string(unknown.message()), testing::HasSubstr("document, query, retrieval.code"));
  EXPECT_FALSE(prompt_for("task", "retrieval.", recipe).ok());
}

TEST(Prompts, ModelsWithoutTreatAllAlike) {
  Recipe recipe;
  EXPECT_EQ(*prompt_for("task", "anything", recipe), std::nullopt);
  recipe.prompts = {{"query", ""}, {"document", ""}};
  EXPECT_EQ(*prompt_for("task", "anything", recipe), std::nullopt);
  EXPECT_EQ(*prompt_for("task", "query", recipe), "query");
}

}  // namespace
}  // namespace bouquet::ivy
