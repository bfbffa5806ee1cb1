// Prompts of rerankers against those that sentence-transformers renders for the golden models.
#include "ivy/rerank_template.h"

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "simdjson.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;

const std::filesystem::path kModels = std::filesystem::path(BOUQUET_SOURCE_DIR) / "tests" / "golden" / "models";

class GoldenPrompts : public testing::TestWithParam<const char*> {};

TEST_P(GoldenPrompts, AreRenderedAsTheOriginalDoes) {
  const auto form = find_rerank_template(kModels / GetParam());
  ASSERT_TRUE(form.ok()) << form.status();
  ASSERT_TRUE(form->has_value());
  simdjson::dom::parser parser;
  const std::string golden = *read_file(kModels / GetParam() / "golden.json");
  const simdjson::dom::element root = parser.parse(golden).value();
  const simdjson::dom::array texts = root["texts"].get_array().value(), prompts = root["prompts"].get_array().value();
  ASSERT_GT(texts.size(), 0u);
  for (size_t i = 0; i < texts.size(); ++i) {
    const RerankPrompt prompt =
        render(**form, "", std::string_view(texts.at(i).at(0)), std::string_view(texts.at(i).at(1)));
    EXPECT_EQ(prompt.body + prompt.tail, std::string_view(prompts.at(i)));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenPrompts,
                         testing::Values("qwen3-reranker", "qwen3-reranker-plain", "qwen2-reranker"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(RerankTemplate, OtherModelsHaveNone) {
  EXPECT_FALSE(find_rerank_template(kModels / "reranker")->has_value());
  EXPECT_FALSE(find_rerank_template(kModels / "qwen3-embedding")->has_value());
}

TEST(RerankTemplate, AnInstructionOfTheRequestTakesThePlaceOfTheUsualOne) {
  const RerankTemplate form{"{instruction}|{query}|{document}|end", "usual"};
  EXPECT_EQ(render(form, "", "q", "{query}").body, "usual|q|{query}");
  EXPECT_EQ(render(form, "mine", "{document}", "d").body, "mine|{document}|d");
  EXPECT_EQ(render(form, "", "q", "d").tail, "|end");
}

TEST(RerankTemplate, WhatDoesMoreIsRefused) {
  EXPECT_THAT(std::string(parse_chat_template("{% for m in messages %}{{ m }}{% endfor %}").status().message()),
              HasSubstr("not understood"));
  EXPECT_FALSE(parse_chat_template("{{ messages[0] }}").ok());
  EXPECT_FALSE(parse_chat_template("{{ \"no places\" }}").ok());
  EXPECT_FALSE(parse_chat_template("{{ \"open").ok());
  EXPECT_FALSE(check_rerank_template("{document} {query}").ok());
}

}  // namespace
}  // namespace bouquet::ivy
