// All series are there before the first request.
#include "tulip/stats.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::tulip {
namespace {

TEST(Stats, SeriesExistFromTheStart) {
  Stats stats;
  const std::string text = metrics().render();
  for (const char* name :
       {"bouquet_tulip_batches_total{mode=\"replay\"}", "bouquet_tulip_refused_total{cause=\"overload\"}",
        "bouquet_tulip_nonfinite_total", "bouquet_tulip_queued_tokens"}) {
    EXPECT_THAT(text, testing::HasSubstr(name));
  }
}

}  // namespace
}  // namespace bouquet::tulip
