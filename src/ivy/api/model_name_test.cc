// Names, short names, aliases, prompts behind a colon.
#include "ivy/api/model_name.h"

#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

TEST(ModelName, IsMatchedWholeThenWithAPrompt) {
  ModelInfo model;
  model.name = "org/mini:v2";
  model.aliases = {"text-embedding-3-small"};
  Recipe recipe;
  recipe.prompts["query"] = "query: ";
  const auto prompt = [&](std::string_view name) { return prompt_in_model_name(name, model, recipe, false); };
  for (const char* name : {"", "org/mini:v2", "mini:v2", "text-embedding-3-small"}) {
    ASSERT_TRUE(prompt(name).ok()) << name;
    EXPECT_FALSE(prompt(name)->has_value()) << name;
  }
  EXPECT_EQ(**prompt("org/mini:v2:query"), "query");
  EXPECT_EQ(**prompt("mini:v2:query"), "query");
  EXPECT_EQ(prompt("mini:v2:other").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(prompt("gpt-4").status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(prompt_in_model_name("gpt-4", model, recipe, true).ok());
}

}  // namespace
}  // namespace bouquet::ivy
