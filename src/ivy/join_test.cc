// Rows end where their inputs stood, in whatever order the chunks come back.
#include "ivy/join.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

tulip::Reply reply_of(std::vector<float> values, int32_t row_size) {
  tulip::Reply reply;
  reply.values = std::move(values);
  reply.row_size = row_size;
  return reply;
}

Join three_inputs() { return Join(3, {{0, 2, 0, 8}, {2, 1, 8, 4}}, "input", false); }

TEST(Join, PlacesByIndexInAnyOrder) {
  Join join = three_inputs();
  tulip::Reply last = reply_of({5, 6}, 2);
  last.times = {70, 10};
  EXPECT_FALSE(join.add(1, last));
  tulip::Reply first = reply_of({1, 2, 3, 4}, 2);
  first.times = {20, 30};
  EXPECT_TRUE(join.add(0, first));
  EXPECT_TRUE(join.status().ok());
  EXPECT_EQ(join.times().queue_us, 70u);
  EXPECT_EQ(join.times().compute_us, 30u);
  EXPECT_THAT(join.take_values(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Join, TheFirstFailureDecidesAndLaterOnesAreIgnored) {
  Join join = three_inputs();
  EXPECT_TRUE(join.add(1, absl::ResourceExhaustedError("full")));
  EXPECT_FALSE(join.add(0, absl::InternalError("late")));
  EXPECT_EQ(join.status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(Join, ASequencesFailureNamesTheInput) {
  Join join = three_inputs();
  tulip::Reply reply = reply_of({0, 0}, 2);
  reply.failures.push_back({0, absl::InternalError("not finite")});
  EXPECT_TRUE(join.add(1, reply));
  EXPECT_THAT(std::string(join.status().message()), HasSubstr("input[2]: not finite"));
}

TEST(Join, AReplyOfAnotherShapeIsRefused) {
  Join join = three_inputs();
  EXPECT_TRUE(join.add(0, reply_of({1, 2, 3}, 2)));
  EXPECT_EQ(join.status().code(), absl::StatusCode::kInternal);
  Join other = three_inputs();
  EXPECT_TRUE(other.add(0, reply_of({}, 0)));
  EXPECT_EQ(other.status().code(), absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace bouquet::ivy
