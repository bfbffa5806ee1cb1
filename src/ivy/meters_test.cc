// Every series exists at zero before the first request.
#include "ivy/meters.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

TEST(Meters, SeriesExistFromTheStart) {
  meters();
  const std::string text = metrics().render();
  for (const char* series :
       {"bouquet_errors_total{cause=\"client\"}", "bouquet_errors_total{cause=\"overload\"}", "bouquet_tokens_total",
        "bouquet_stage_seconds_count{stage=\"write\"}", "bouquet_truncated_inputs_total", "bouquet_connections"}) {
    EXPECT_THAT(text, testing::HasSubstr(series));
  }
}

TEST(Meters, CountsErrorsByCause) {
  Counter& overload = metrics().counter("bouquet_errors_total", "", {{"cause", "overload"}});
  const double before = overload.Value();
  meters().count_error("overload");
  meters().count_error("");
  EXPECT_EQ(overload.Value(), before + 1);
}

TEST(Meters, EachModelHasItsReplicas) {
  set_replicas_of("meters-a", 2);
  set_replicas_of("meters-b", 0);
  EXPECT_NE(metrics().render().find("bouquet_model_replicas{model=\"meters-a\"} 2"), std::string::npos);
  forget_replicas_of("meters-a");
  EXPECT_EQ(metrics().render().find("meters-a"), std::string::npos);
  EXPECT_NE(metrics().render().find("meters-b"), std::string::npos);
}

}  // namespace
}  // namespace bouquet::ivy
