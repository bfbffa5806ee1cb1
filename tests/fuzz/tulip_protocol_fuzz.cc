// The protocol between Ivy and Tulip: whatever bytes come, what protobuf itself reads is read alike or refused.
#include <cstdlib>
#include <cstring>

#include "bouquet/v1/tulip.pb.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "tulip/codec.h"

namespace {

namespace tulip = bouquet::tulip;
namespace v1 = bouquet::v1;

void require(bool holds) {
  if (!holds) std::abort();
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

void check_chunk(const std::string& bytes, int piece) {
  google::protobuf::io::ArrayInputStream in(bytes.data(), static_cast<int>(bytes.size()), piece);
  const absl::StatusOr<tulip::Chunk> chunk = tulip::parse_chunk(&in, bytes.size());
  require(chunk.ok() == tulip::parse_chunk(bytes).ok());
  if (!chunk.ok()) return;
  v1::RunRequest message;
  if (!message.ParseFromString(bytes)) return;  // of a tag with more bytes than it needs, say, we are more patient
  require(bytes_of(chunk->ids) == message.ids() && bytes_of(chunk->lengths) == message.lengths() &&
          bytes_of(chunk->token_types) == message.token_types());
  const absl::StatusOr<tulip::Chunk> again = tulip::parse_chunk(tulip::joined(tulip::to_segments(*chunk)));
  require(again.ok() && again->ids == chunk->ids && again->request_id == chunk->request_id);
}

void check_reply(const std::string& bytes) {
  const absl::StatusOr<tulip::Reply> reply = tulip::parse_reply(bytes);
  if (!reply.ok()) return;
  v1::RunReply message;
  require(!message.ParseFromString(bytes) || bytes_of(reply->values) == message.values());
  for (const tulip::SequenceFailure& failure : reply->failures) {
    require(!failure.status.ok() && failure.index * reply->row_size < static_cast<int64_t>(reply->values.size()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  check_chunk(bytes, 1 + data[0] % 32);
  check_reply(bytes);
  (void)tulip::parse_card(bytes);
  return 0;
}
