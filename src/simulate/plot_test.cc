// A line for each run, in its panel.
#include "simulate/plot.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::simulate {
namespace {

using testing::HasSubstr;

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

TEST(Plot, HasALineForEachRunAndLane) {
  const Result results[] = {
      {.policy = Policy::kOurs, .chunked = true, .online = {0.01f, 0.02f, 0.1f, 1.f}, .bulk = {1.f}},
      {.policy = Policy::kRandom, .chunked = false, .online = {0.01f}, .bulk = {1.f}}};
  const std::string svg = plot(results, "100 replicas, load < 1");
  EXPECT_EQ(count(svg, "<polyline"), 4u);
  EXPECT_THAT(svg, HasSubstr("load &lt; 1"));
  EXPECT_THAT(svg, HasSubstr("least-loaded"));
  EXPECT_EQ(count(svg, "<g"), count(svg, "</g>"));
}

}  // namespace
}  // namespace bouquet::simulate
