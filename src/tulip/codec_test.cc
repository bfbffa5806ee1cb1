// Round trips, and refusal of what does not add up.
#include "tulip/codec.h"

#include "bouquet/v1/tulip.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::tulip {
namespace {

using testing::ElementsAre;

TEST(Codec, ChunksRoundTrip) {
  const Chunk chunk{.ids = {101, 7592, 102},
                    .lengths = {1, 2},
                    .token_types = {0, 0, 1},
                    .spec = {Output::kLogits, 0, false},
                    .lane = Lane::kBulk,
                    .request_id = "r1",
                    .continues = true};
  const Chunk back = *parse_chunk(serialize(chunk));
  EXPECT_EQ(back.ids, chunk.ids);
  EXPECT_EQ(back.lengths, chunk.lengths);
  EXPECT_EQ(back.token_types, chunk.token_types);
  EXPECT_EQ(back.spec, chunk.spec);
  EXPECT_EQ(back.lane, Lane::kBulk);
  EXPECT_EQ(back.request_id, "r1");
  EXPECT_TRUE(back.continues);
}

TEST(Codec, RepliesRoundTrip) {
  Reply reply{.values = {1, 2, 3, 4},
              .row_size = 2,
              .failures = {{1, absl::InternalError("x")}},
              .times = {5, 6},
              .load = {7, 8}};
  const Reply back = *parse_reply(serialize(reply));
  EXPECT_THAT(back.values, ElementsAre(1, 2, 3, 4));
  ASSERT_EQ(back.failures.size(), 1u);
  EXPECT_EQ(back.failures[0].status, absl::InternalError("x"));
  EXPECT_EQ(back.times.compute_us, 6u);
  EXPECT_EQ(back.load.tokens_per_second, 8u);
}

TEST(Codec, CardsRoundTrip) {
  const ModelCard card{.name = "m",
                       .weights_fingerprint = 1ull << 63,
                       .dimensions = 384,
                       .outputs = {Output::kEmbedding},
                       .dtype = "f32"};
  const ModelCard back = *parse_card(serialize(card));
  EXPECT_EQ(back.weights_fingerprint, card.weights_fingerprint);
  EXPECT_EQ(back.dimensions, 384);
  EXPECT_THAT(back.outputs, ElementsAre(Output::kEmbedding));
}

TEST(Codec, RefusesWhatDoesNotAddUp) {
  EXPECT_FALSE(parse_chunk("\xff\xff").ok());
  v1::RunRequest request;
  request.set_ids("abc");
  request.mutable_spec()->set_output(v1::OUTPUT_EMBEDDING);
  EXPECT_FALSE(parse_chunk(request.SerializeAsString()).ok());
  v1::RunReply reply;
  reply.set_values(std::string(12, '\0'));
  reply.set_row_size(2);
  EXPECT_FALSE(parse_reply(reply.SerializeAsString()).ok());
  v1::ModelCard card;
  card.set_protocol(2);
  EXPECT_EQ(parse_card(card.SerializeAsString()).status().code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace bouquet::tulip
