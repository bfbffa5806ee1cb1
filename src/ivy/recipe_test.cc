// The model's own prompts, and the overrides.
#include "ivy/recipe.h"

#include <filesystem>

#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view toml) {
  Recipe base;
  base.prompts["query"] = "q: ";
  const auto recipe = override_recipe(base, toml, "r.toml");
  return recipe.ok() ? "accepted" : std::string(recipe.status().message());
}

TEST(Recipe, ReadsSentenceTransformersPrompts) {
  const ScratchFolder directory;
  EXPECT_TRUE(read_model_recipe(directory)->prompts.empty());
  directory.write(
      "config_sentence_transformers.json",
      R"({"prompts":{"query":"query: ","document":""},"default_prompt_name":"query","similarity_fn_name":"cosine"})");
  const auto recipe = read_model_recipe(directory);
  ASSERT_TRUE(recipe.ok()) << recipe.status();
  EXPECT_EQ(recipe->prompts.at("query"), "query: ");
  EXPECT_EQ(recipe->default_prompt, "query");
  directory.write("config_sentence_transformers.json", R"({"prompts":{},"default_prompt_name":null})");
  EXPECT_EQ(read_model_recipe(directory)->default_prompt, "");
  for (const char* broken :
       {R"({"prompts":{"query":1}})", R"({"prompts":{},"default_prompt_name":"absent"})", "[]", "{"}) {
    directory.write("config_sentence_transformers.json", broken);
    EXPECT_THAT(std::string(read_model_recipe(directory).status().message()),
                HasSubstr("config_sentence_transformers.json"));
  }
}

TEST(Recipe, OverridesWhatTheFileNames) {
  Recipe base;
  base.prompts = {{"query", "q: "}, {"document", "d: "}};
  base.default_prompt = "document";
  const auto recipe = override_recipe(base, R"(
default_prompt = ""
max_length = 100
truncate = false
truncation_side = "left"
special_tokens_in_text = "literal"
[prompts]
query = "find: "
code = "code: "
[rerank]
query_prefix = "Q "
document_prefix = "D "
)",
                                      "r.toml");
  ASSERT_TRUE(recipe.ok()) << recipe.status();
  EXPECT_EQ(recipe->prompts.at("query"), "find: ");
  EXPECT_EQ(recipe->prompts.at("document"), "d: ");
  EXPECT_EQ(recipe->prompts.at("code"), "code: ");
  EXPECT_EQ(recipe->default_prompt, "");
  EXPECT_EQ(recipe->max_length, 100);
  EXPECT_FALSE(recipe->truncate);
  EXPECT_EQ(recipe->truncation_side, tokenizer::TruncationSide::kLeft);
  EXPECT_TRUE(recipe->literal_special_tokens);
  EXPECT_EQ(recipe->query_prefix, "Q ");
  EXPECT_EQ(recipe->document_prefix, "D ");
}

TEST(Recipe, NamesTheKeyThatIsWrong) {
  EXPECT_EQ(refusal(""), "accepted");
  EXPECT_THAT(refusal("max_lenght = 3"), testing::Eq("r.toml:1: unknown key max_lenght"));
  EXPECT_THAT(refusal("max_length = 0"), HasSubstr("max_length must be"));
  EXPECT_THAT(refusal("max_length = \"9\""), HasSubstr("max_length must be"));
  EXPECT_THAT(refusal("truncate = 1"), HasSubstr("truncate must be"));
  EXPECT_THAT(refusal("truncation_side = \"up\""), HasSubstr("truncation_side must be \"right\" or \"left\""));
  EXPECT_THAT(refusal("default_prompt = \"absent\""),
              HasSubstr("r.toml: the default prompt \"absent\" is not among the prompts (query)"));
  EXPECT_THAT(refusal("prompts = 1"), HasSubstr("prompts must be a table"));
  EXPECT_THAT(refusal("[prompts]\nx = 1"), HasSubstr("prompts.x must be a string"));
  EXPECT_THAT(refusal("rerank = 1"), HasSubstr("rerank must be a table"));
  EXPECT_THAT(refusal("[rerank]\nx = 1"), testing::Eq("r.toml:2: unknown key rerank.x"));
  EXPECT_THAT(refusal("\n\nbroken"), HasSubstr("r.toml:3: "));
}

TEST(Recipe, FindsPromptsByNameAndAlias) {
  Recipe recipe;
  EXPECT_THAT(std::string(find_prompt(recipe, "query").status().message()), HasSubstr("this model has none"));
  recipe.prompts = {{"query", "q: "}, {"document", "d: "}};
  EXPECT_EQ(*find_prompt(recipe, "query"), "q: ");
  EXPECT_EQ(*find_prompt(recipe, "search_query"), "q: ");
  EXPECT_EQ(*find_prompt(recipe, "passage"), "d: ");
  EXPECT_THAT(std::string(find_prompt(recipe, "other").status().message()), HasSubstr("document, query"));
}

TEST(Recipe, OfAFile) {
  const ScratchFolder folder;
  Recipe base;
  base.max_length = 5;
  EXPECT_EQ(read_recipe(base, {})->max_length, 5);
  EXPECT_EQ(read_recipe(base, folder.write("recipe.toml", "truncate = false"))->max_length, 5);
  EXPECT_EQ(read_recipe(base, folder.write("recipe.toml", "max_length = 8"))->max_length, 8);
  for (const auto& file : {folder / "absent.toml", folder.write("broken.toml", "= 1")}) {
    EXPECT_THAT(std::string(read_recipe(base, file).status().message()), HasSubstr(file.string()));
  }
}

}  // namespace
}  // namespace bouquet::ivy
