// Rows, units and what is said at the end.
#include "simulate/report.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::simulate {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Report, ARowHasQuantilesSharesAndTheRunsName) {
  const Result result{.policy = Policy::kRandom,
                      .chunked = false,
                      .requests = 200,
                      .online = {0.009f, 0.05f, 0.5f},
                      .bulk = {1.5f, 12.f, 130.f},
                      .refused = 1,
                      .chunks = 1000,
                      .sent_again = 50,
                      .busy = 0.7};
  const std::string row = table_row(result);
  for (const char* wanted : {"random, whole", "50.0 ms", "500 ms", "12.0 s", "130 s", "70 %", "0.50 %", "5.00 %"}) {
    EXPECT_THAT(row, HasSubstr(wanted));
  }
  EXPECT_THAT(table_row({}), HasSubstr(" - "));
  EXPECT_EQ(row.size(), table_row({}).size());
}

TEST(Report, TheBeginningSaysWhatIsSimulated) {
  const std::string text = describe({.replicas = 20, .faults = {.crashes = 0.5, .slow_spells = 0.1}});
  EXPECT_THAT(text, HasSubstr("20 replicas of 5557 tokens a second"));
  EXPECT_THAT(text, HasSubstr("10 crashes"));
  EXPECT_THAT(text, HasSubstr("2 times one is 4 times slower"));
}

TEST(Report, TheEndTellsWhatMustNotHappen) {
  EXPECT_THAT(closing({}, {}), HasSubstr("answered once"));
  const Result lost[] = {{.unanswered = 3}};
  EXPECT_THAT(closing({}, lost), HasSubstr("3 requests unanswered"));
  EXPECT_THAT(closing({}, lost), Not(HasSubstr("answered once")));
}

}  // namespace
}  // namespace bouquet::simulate
