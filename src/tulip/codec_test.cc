// Round trips, and refusal of what does not add up.
#include "tulip/codec.h"

#include "bouquet/v1/tulip.pb.h"
#include "gmock/gmock.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
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
                    .continues = true,
                    .weights_fingerprint = 1ull << 60};
  const Chunk back = *parse_chunk(joined(to_segments(chunk)));
  EXPECT_EQ(back.ids, chunk.ids);
  EXPECT_EQ(back.lengths, chunk.lengths);
  EXPECT_EQ(back.token_types, chunk.token_types);
  EXPECT_EQ(back.spec, chunk.spec);
  EXPECT_EQ(back.lane, Lane::kBulk);
  EXPECT_EQ(back.request_id, "r1");
  EXPECT_TRUE(back.continues);
  EXPECT_EQ(back.weights_fingerprint, chunk.weights_fingerprint);
}

TEST(Codec, RepliesRoundTrip) {
  Reply reply{.values = {1, 2, 3, 4},
              .row_size = 2,
              .failures = {{1, absl::InternalError("x")}},
              .times = {5, 6},
              .load = {7, 8}};
  const Reply back = *parse_reply(joined(to_segments(reply)));
  EXPECT_THAT(back.values, ElementsAre(1, 2, 3, 4));
  ASSERT_EQ(back.failures.size(), 1u);
  EXPECT_EQ(back.failures[0].status, absl::InternalError("x"));
  EXPECT_EQ(back.times.compute_us, 6u);
  EXPECT_EQ(back.load.tokens_per_second, 8u);
}

// What protobuf itself reads and writes is the same.
TEST(Codec, ChunksAreOrdinaryProtobuf) {
  Chunk chunk;
  chunk.ids = {101, 7592, 102};
  chunk.lengths = {3};
  chunk.spec.dimensions = 2;
  v1::RunRequest message;
  ASSERT_TRUE(message.ParseFromString(joined(to_segments(chunk))));
  EXPECT_EQ(message.ids(), std::string("\x65\0\0\0\xa8\x1d\0\0\x66\0\0\0", 12));
  EXPECT_EQ(message.lengths(), std::string("\3\0\0\0", 4));
  EXPECT_EQ(message.spec().dimensions(), 2u);
  const Chunk back = *parse_chunk(message.SerializeAsString());
  EXPECT_EQ(back.ids, chunk.ids);
  EXPECT_EQ(back.spec, chunk.spec);
}

TEST(Codec, RepliesAreOrdinaryProtobuf) {
  const Reply reply{.values = {0.5f, -1}, .row_size = 2, .load = {3, 4}};
  v1::RunReply message;
  ASSERT_TRUE(message.ParseFromString(joined(to_segments(reply))));
  EXPECT_EQ(message.values(), std::string("\0\0\0\x3f\0\0\x80\xbf", 8));
  EXPECT_EQ(message.load().tokens_per_second(), 4u);
  EXPECT_EQ(parse_reply(message.SerializeAsString())->values, reply.values);
}

TEST(Codec, ReadsFromPieces) {
  const Chunk chunk{.ids = {1, 2, 3, 4, 5}, .lengths = {2, 3}, .request_id = "in pieces"};
  const std::string bytes = joined(to_segments(chunk));
  for (int piece = 1; piece < 8; ++piece) {
    google::protobuf::io::ArrayInputStream in(bytes.data(), static_cast<int>(bytes.size()), piece);
    const absl::StatusOr<Chunk> back = parse_chunk(&in, bytes.size());
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(back->ids, chunk.ids);
    EXPECT_EQ(back->request_id, chunk.request_id);
  }
}

// A newer peer's fields, and an older one's lack of them.
TEST(Codec, UnknownFieldsAreSkipped) {
  const std::string bytes = joined(to_segments(Chunk{.ids = {7}, .lengths = {1}}));
  const std::string newer = std::string("\xf8\x07\x05", 3) + bytes + std::string("\xfa\x07\x02hi", 5);  // field 127
  EXPECT_THAT(parse_chunk(newer)->ids, ElementsAre(7));
  EXPECT_THAT(parse_reply(std::string("\x10\x01\x0a\x04\0\0\0\x3f", 8))->values, ElementsAre(0.5f));
}

TEST(Codec, ANewerTulipsCardAndReplyAreUnderstood) {
  const std::string varint("\xf8\x07\x05", 3), bytes("\xfa\x07\x02hi", 5), fixed("\xf9\x07........", 10);  // field 127
  const ModelCard card{.name = "m", .dimensions = 384, .outputs = {Output::kEmbedding}};
  const auto newer = parse_card(varint + serialize(card) + bytes + fixed);
  ASSERT_TRUE(newer.ok()) << newer.status();
  EXPECT_EQ(newer->name, "m");
  EXPECT_EQ(newer->dimensions, 384);
  EXPECT_EQ(newer->protocol, 1u);
  const Reply reply{.values = {1, 2, 3, 4}, .row_size = 2, .failures = {{1, absl::InternalError("NaN")}}};
  const auto back = parse_reply(varint + joined(to_segments(Reply(reply))) + bytes + fixed);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->values, reply.values);
  EXPECT_EQ(back->failures.size(), 1u);
}

// A first version had neither names of labels nor lanes, fingerprints and ids of requests.
TEST(Codec, AnOlderPeersCardAndChunkAreUnderstood) {
  const auto card = parse_card(std::string("\x0a\x01m\x10\x01\x28\x04", 7));  // name, protocol, dimensions
  ASSERT_TRUE(card.ok()) << card.status();
  EXPECT_EQ(card->dimensions, 4);
  EXPECT_TRUE(card->label_names.empty());
  EXPECT_EQ(card->tokenizer_fingerprint, 0u);
  const auto chunk =
      parse_chunk(std::string("\x0a\x04\x07\0\0\0\x12\x04\x01\0\0\0\x22\x02\x08\x01", 16));  // ids, lengths, spec
  ASSERT_TRUE(chunk.ok()) << chunk.status();
  EXPECT_THAT(chunk->ids, ElementsAre(7));
  EXPECT_EQ(chunk->lane, Lane::kOnline);
  EXPECT_FALSE(chunk->continues);
  EXPECT_EQ(chunk->weights_fingerprint, 0u);
}

TEST(Codec, EveryCutIsRefusedOrWhole) {
  const std::string bytes = joined(to_segments(Chunk{.ids = {1, 2, 3}, .lengths = {3}, .token_types = {0, 0, 1}}));
  for (size_t size = 0; size < bytes.size(); ++size) {
    const absl::StatusOr<Chunk> chunk = parse_chunk(bytes.substr(0, size));
    EXPECT_TRUE(!chunk.ok() || chunk->ids.empty() || chunk->ids.size() == 3) << size;
  }
}

TEST(Codec, CardsRoundTrip) {
  const ModelCard card{.name = "m",
                       .weights_fingerprint = 1ull << 63,
                       .dimensions = 384,
                       .label_names = {"a", "b"},
                       .outputs = {Output::kEmbedding},
                       .dtype = "f32"};
  const ModelCard back = *parse_card(serialize(card));
  EXPECT_EQ(back.weights_fingerprint, card.weights_fingerprint);
  EXPECT_EQ(back.dimensions, 384);
  EXPECT_EQ(back.label_names, card.label_names);
  EXPECT_THAT(back.outputs, ElementsAre(Output::kEmbedding));
}

TEST(Codec, RefusesWhatDoesNotAddUp) {
  EXPECT_FALSE(parse_chunk("\xff\xff").ok());
  EXPECT_FALSE(parse_chunk("\x0a\xfc\xff\xff\xff\x07").ok());  // 2 GB of ids that are not there
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
