// A slice per segment; reading goes through gRPC's own stream over the slices.
#include "tulip/rpc/byte_buffer.h"

#include "grpcpp/support/proto_buffer_reader.h"

namespace bouquet::tulip {
namespace {

constexpr size_t kCopied = 256;  // bytes up to which a copy is cheaper than an owner of its own

grpc::Slice slice_of(const Segment& segment) {
  if (segment.bytes.size() <= kCopied) return grpc::Slice(segment.bytes.data(), segment.bytes.size());
  using Owner = std::shared_ptr<const void>;
  return grpc::Slice(
      const_cast<char*>(segment.bytes.data()), segment.bytes.size(),
      [](void* owner) { delete static_cast<Owner*>(owner); }, new Owner(segment.owner));
}

template <class Parse>
auto read(const grpc::ByteBuffer& buffer, const Parse& parse) {
  grpc::ByteBuffer slices = buffer;  // shares them; the reader wants to be able to change its argument
  grpc::ProtoBufferReader reader(&slices);
  return parse(&reader, slices.Length());
}

}  // namespace

grpc::ByteBuffer byte_buffer_of(const Segments& segments) {
  std::vector<grpc::Slice> slices;
  for (const Segment& segment : segments) slices.push_back(slice_of(segment));
  return grpc::ByteBuffer(slices.data(), slices.size());
}

grpc::ByteBuffer byte_buffer_of(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

absl::StatusOr<Chunk> parse_chunk(const grpc::ByteBuffer& buffer) {
  return read(buffer, [](auto* in, size_t size) { return parse_chunk(in, size); });
}

absl::StatusOr<Reply> parse_reply(const grpc::ByteBuffer& buffer) {
  return read(buffer, [](auto* in, size_t size) { return parse_reply(in, size); });
}

absl::StatusOr<ModelCard> parse_card(const grpc::ByteBuffer& buffer) {
  grpc::Slice slice;
  if (const grpc::Status status = buffer.DumpToSingleSlice(&slice); !status.ok()) {
    return absl::InvalidArgumentError("no model card in the reply");
  }
  return parse_card(std::string_view(reinterpret_cast<const char*>(slice.begin()), slice.size()));
}

}  // namespace bouquet::tulip
