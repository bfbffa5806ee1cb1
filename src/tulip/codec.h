// Chunks, replies and cards to and from the protocol's messages (proto/bouquet/v1/tulip.proto), byte for byte what
// protobuf itself would read and write.
//
// The large arrays are copied at most once each way: a message to send is a list of pieces that lie where they were,
// and a received one, of `size` bytes in all, is read into its arrays from whatever pieces it came in. What comes from
// another process is untrusted: parsing checks every length.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "google/protobuf/io/zero_copy_stream.h"
#include "tulip/client.h"

namespace bouquet::tulip {

// A stretch of a message, and what keeps its bytes.
struct Segment {
  std::string_view bytes;
  std::shared_ptr<const void> owner;
};
using Segments = std::vector<Segment>;

Segments to_segments(Chunk chunk);
absl::StatusOr<Chunk> parse_chunk(google::protobuf::io::ZeroCopyInputStream* in, size_t size);

Segments to_segments(Reply reply);
absl::StatusOr<Reply> parse_reply(google::protobuf::io::ZeroCopyInputStream* in, size_t size);

std::string serialize(const ModelCard& card);
absl::StatusOr<ModelCard> parse_card(std::string_view bytes);

// For messages in one piece.
std::string joined(const Segments& segments);
absl::StatusOr<Chunk> parse_chunk(std::string_view bytes);
absl::StatusOr<Reply> parse_reply(std::string_view bytes);

}  // namespace bouquet::tulip
