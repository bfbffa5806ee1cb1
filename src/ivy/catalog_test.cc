// Which model a name means, and what two models may not share.
#include "ivy/catalog.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/failure.h"
#include "ivy/testing/fakes.h"

namespace bouquet::ivy {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_fakes::embedder_card;
using testing_fakes::FakeClient;
using testing_fakes::make_gateway;

std::shared_ptr<Gateway> with_prompts(const std::vector<std::string>& names) {
  GatewayOptions options;
  for (const std::string& name : names) options.recipe.prompts[name] = name + ": ";
  return make_gateway({std::make_shared<FakeClient>(embedder_card())}, options);
}

std::string refusal(std::vector<Offer> offers) {
  const auto catalog = Catalog::create(std::move(offers));
  return catalog.ok() ? "accepted" : std::string(catalog.status().message());
}

class CatalogTest : public testing::Test {
 protected:
  // "MODEL" or "MODEL PROMPT" of what a name means.
  std::string meaning(std::string_view name, bool any = false) const {
    const auto choice = catalog_->choose(name, any);
    if (!choice.ok()) return choice.status().code() == absl::StatusCode::kNotFound ? "none" : "another error";
    return choice->offer->name + (choice->prompt ? " " + *choice->prompt : "");
  }

  const std::shared_ptr<const Catalog> catalog_ =
      Catalog::create({{"org/mini:v2", {"text-embedding-3-small"}, with_prompts({"query"})},
                       {"mini", {}, with_prompts({"v2", "query"})},
                       {"late", {}, nullptr}})
          .value();
};

TEST_F(CatalogTest, AModelGoesByNameAliasAndShortName) {
  EXPECT_EQ(meaning("org/mini:v2"), "org/mini:v2");
  EXPECT_EQ(meaning("mini:v2"), "org/mini:v2");
  EXPECT_EQ(meaning("text-embedding-3-small"), "org/mini:v2");
  EXPECT_EQ(meaning("mini"), "mini");
  EXPECT_EQ(meaning("late"), "late");
}

TEST_F(CatalogTest, NoNameIsTheFirst) { EXPECT_EQ(meaning(""), "org/mini:v2"); }

TEST_F(CatalogTest, APromptStandsBehindAColon) {
  EXPECT_EQ(meaning("mini:query"), "mini query");
  EXPECT_EQ(meaning("mini:v2:query"), "org/mini:v2 query");
  EXPECT_EQ(meaning("text-embedding-3-small:query"), "org/mini:v2 query");
  EXPECT_EQ(meaning("mini:other"), "none");
  EXPECT_EQ(meaning("mini:"), "none");
  EXPECT_EQ(meaning(":query"), "none");
  EXPECT_EQ(meaning("late:whatever"), "late whatever");
}

TEST_F(CatalogTest, LatestIsNoPrompt) {
  EXPECT_EQ(meaning("mini:latest"), "mini");
  EXPECT_EQ(meaning("text-embedding-3-small:latest"), "org/mini:v2");
  EXPECT_EQ(meaning("other:latest"), "none");
}

TEST_F(CatalogTest, OtherNamesAreRefusedWithThoseThereAre) {
  const absl::Status status = catalog_->choose("gpt-4").status();
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("\"gpt-4\" does not exist"), HasSubstr("has \"org/mini:v2\", \"mini\", \"late\"")));
  EXPECT_EQ(field_of(status), "model");
  EXPECT_EQ(meaning("gpt-4", true), "org/mini:v2");
  EXPECT_EQ(meaning("mini:query", true), "mini query");
}

TEST_F(CatalogTest, AnUnknownPromptIsRefusedWithThoseThereAre) {
  const absl::Status status = catalog_->choose("mini:other").status();
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("\"mini:other\" does not exist"),
                                                   HasSubstr("\"mini\" has the prompts \"query\", \"v2\"")));
  const auto without = Catalog::create({{"bare", {}, with_prompts({})}}).value();
  EXPECT_THAT(std::string(without->choose("bare:query").status().message()), HasSubstr("\"bare\" has no prompts"));
}

TEST(Catalog, TellsABoundedNumberOfNames) {
  std::vector<Offer> offers;
  for (int i = 0; i < 50; ++i) offers.push_back({"model-" + std::to_string(i), {}, nullptr});
  const absl::Status status = Catalog::create(std::move(offers)).value()->choose("x").status();
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("\"model-19\" and 30 more"), Not(HasSubstr("model-20"))));
}

TEST(Catalog, TwoModelsShareNoName) {
  EXPECT_THAT(refusal({{"a", {}, nullptr}, {"b", {"a"}, nullptr}}),
              AllOf(HasSubstr("two models go by \"a\""), HasSubstr("a and b")));
  EXPECT_THAT(refusal({{"x/a", {}, nullptr}, {"y/a", {}, nullptr}}), HasSubstr("x/a and y/a"));
  EXPECT_THAT(refusal({{"x/a", {}, nullptr}, {"b", {"a"}, nullptr}}), HasSubstr("x/a and b"));
  EXPECT_THAT(refusal({{"a", {}, nullptr}, {"a", {}, nullptr}}), HasSubstr("a and a"));
  EXPECT_EQ(refusal({{"x/a", {"a", "x/a"}, nullptr}}), "accepted");
  EXPECT_THAT(refusal({}), HasSubstr("no model"));
}

TEST(Catalog, IsReadyWhenAModelIs) {
  const auto client = std::make_shared<FakeClient>(embedder_card());
  const auto catalog = Catalog::create({{"late", {}, nullptr}, {"here", {}, make_gateway({client})}}).value();
  EXPECT_TRUE(catalog->ready());
  EXPECT_FALSE(catalog->offers()[0].ready());
  client->set_ready(false);
  EXPECT_FALSE(catalog->ready());
}

}  // namespace
}  // namespace bouquet::ivy
