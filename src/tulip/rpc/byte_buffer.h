// Messages as gRPC carries them: lists of slices, which need not be copied.
#pragma once

#include "absl/status/statusor.h"
#include "grpcpp/support/byte_buffer.h"
#include "tulip/codec.h"

namespace bouquet::tulip {

// The slices hold the segments' owners.
grpc::ByteBuffer byte_buffer_of(const Segments& segments);
grpc::ByteBuffer byte_buffer_of(const std::string& bytes);

// Errors as codec.h's.
absl::StatusOr<Chunk> parse_chunk(const grpc::ByteBuffer& buffer);
absl::StatusOr<Reply> parse_reply(const grpc::ByteBuffer& buffer);
absl::StatusOr<ModelCard> parse_card(const grpc::ByteBuffer& buffer);

}  // namespace bouquet::tulip
