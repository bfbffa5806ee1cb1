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
  replicas_of("meters-a").Set(2);
  EXPECT_EQ(replicas_of("meters-a").Value(), 2);
  EXPECT_EQ(replicas_of("meters-b").Value(), 0);
}

}  // namespace
}  // namespace bouquet::ivy
