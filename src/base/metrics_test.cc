// Series exist at zero before the first event, and are found again by name and labels.
#include "base/metrics.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet {
namespace {

TEST(Metrics, SeriesExistAtZeroAndCount) {
  Metrics metrics;
  Counter& hits = metrics.counter("hits_total", "Hits", {{"mode", "replay"}});
  EXPECT_THAT(metrics.render(), testing::HasSubstr("hits_total{mode=\"replay\"} 0"));
  hits.Increment();
  metrics.counter("hits_total", "Hits", {{"mode", "replay"}}).Increment();
  EXPECT_THAT(metrics.render(), testing::HasSubstr("hits_total{mode=\"replay\"} 2"));
}

}  // namespace
}  // namespace bouquet
