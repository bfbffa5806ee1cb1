// Levels parse, and an unknown or missing one is refused with words.
#include "rose/device/cpu/isa.h"

#include "gtest/gtest.h"

namespace bouquet::rose::cpu {
namespace {

TEST(Isa, ChoosesTheBestByDefault) {
  EXPECT_EQ(*choose_isa("auto"), supported_isas().back());
  EXPECT_EQ(*choose_isa("portable"), Isa::kPortable);
  EXPECT_FALSE(processor_name().empty());
}

TEST(Isa, RefusesWhatIsNotThere) {
  EXPECT_EQ(choose_isa("sse9").status().code(), absl::StatusCode::kInvalidArgument);
  if (supported_isas().back() == Isa::kAvx512) GTEST_SKIP() << "this processor has every level";
  EXPECT_EQ(choose_isa("avx512").status().code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace bouquet::rose::cpu
