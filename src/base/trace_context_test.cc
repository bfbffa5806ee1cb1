// The standard's own examples, and what is not one.
#include "base/trace_context.h"

#include <string>

#include "gtest/gtest.h"

namespace bouquet {
namespace {

TEST(TraceContext, GivesTheTraceOfAWellFormedHeader) {
  constexpr std::string_view kTrace = "4bf92f3577b34da6a3ce929d0e0e4736";
  EXPECT_EQ(trace_id_of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"), kTrace);
  EXPECT_EQ(trace_id_of("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes-later"), kTrace);
}

TEST(TraceContext, GivesNothingOfAnyOther) {
  const std::string good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  for (const std::string& bad :
       {std::string(), good.substr(1), good + "0", good + "-x", "ff" + good.substr(2), "0g" + good.substr(2),
        "00_" + good.substr(3), "00-" + std::string(32, '0') + good.substr(35),
        good.substr(0, 36) + std::string(16, '0') + "-01", "00-4BF92F3577B34DA6A3CE929D0E0E4736" + good.substr(35),
        "01" + good.substr(2) + std::string(300, '-')}) {
    EXPECT_EQ(trace_id_of(bad), "") << bad;
  }
}

}  // namespace
}  // namespace bouquet
