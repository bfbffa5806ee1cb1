// Arrays are packed little-endian bytes. Of a message with arrays, those are written and read here and the other fields
// by protobuf: a message may be cut into its fields anywhere, and its parts merged.
#include "tulip/codec.h"

#include <bit>
#include <utility>

#include "base/status.h"
#include "bouquet/v1/tulip.pb.h"
#include "fmt/format.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/wire_format_lite.h"

namespace bouquet::tulip {
namespace {

using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;
using google::protobuf::io::StringOutputStream;
using Wire = google::protobuf::internal::WireFormatLite;

static_assert(std::endian::native == std::endian::little, "packed arrays are copied as they lie in memory");

Segment segment_of(std::string bytes) {
  auto owner = std::make_shared<const std::string>(std::move(bytes));
  return {*owner, owner};
}

// A field of bytes: its tag and size in one segment, the array itself in the next.
template <class T>
void add_array(int field, std::vector<T> values, Segments* out) {
  if (values.empty()) return;
  std::string head;
  {
    StringOutputStream stream(&head);
    CodedOutputStream coded(&stream);
    coded.WriteTag(Wire::MakeTag(field, Wire::WIRETYPE_LENGTH_DELIMITED));
    coded.WriteVarint64(values.size() * sizeof(T));
  }
  out->push_back(segment_of(std::move(head)));
  auto owner = std::make_shared<const std::vector<T>>(std::move(values));
  out->push_back({{reinterpret_cast<const char*>(owner->data()), owner->size() * sizeof(T)}, owner});
}

absl::Status malformed(const google::protobuf::Message& message) {
  return absl::InvalidArgumentError(fmt::format("not a {} message", message.GetDescriptor()->full_name()));
}

// Reads the bytes of a field, whose tag is read, into `values`.
template <class T>
absl::Status read_array(std::string_view field, CodedInputStream* in, std::vector<T>* values) {
  uint32_t size = 0;
  if (!in->ReadVarint32(&size) || size > INT32_MAX)
    return absl::InvalidArgumentError(fmt::format("{}: cut short", field));
  if (size % sizeof(T) != 0) {
    return absl::InvalidArgumentError(fmt::format("{}: {} bytes are no whole elements", field, size));
  }
  if (static_cast<int>(size) >= in->BytesUntilTotalBytesLimit()) {  // before memory is taken for them
    return absl::InvalidArgumentError(fmt::format("{}: cut short", field));
  }
  values->resize(size / sizeof(T));
  if (size > 0 && !in->ReadRaw(values->data(), static_cast<int>(size))) {
    return absl::InvalidArgumentError(fmt::format("{}: cut short", field));
  }
  return absl::OkStatus();
}

// Reads a message field by field. `read_array_of` takes the number of a field of bytes whose tag is read and says
// whether it read it; the other fields go into `rest`.
template <class ReadArray>
absl::Status read_message(CodedInputStream* in, google::protobuf::Message* rest, const ReadArray& read_array_of) {
  std::string others;
  {
    StringOutputStream stream(&others);
    CodedOutputStream coded(&stream);
    while (const uint32_t tag = in->ReadTag()) {
      if (Wire::GetTagWireType(tag) == Wire::WIRETYPE_LENGTH_DELIMITED) {
        ASSIGN_OR_RETURN(const bool taken, read_array_of(Wire::GetTagFieldNumber(tag)));
        if (taken) continue;
      }
      if (!Wire::SkipField(in, tag, &coded)) return malformed(*rest);
    }
  }
  if (!in->ConsumedEntireMessage() || !rest->ParseFromString(others)) return malformed(*rest);
  return absl::OkStatus();
}

// `parse` of a message of `size` bytes.
template <class Parse>
auto limited(CodedInputStream&& in, size_t size, const Parse& parse) -> decltype(parse(&in)) {
  if (size >= INT32_MAX) return absl::InvalidArgumentError(fmt::format("a message of {} bytes", size));
  in.SetTotalBytesLimit(static_cast<int>(size) + 1);  // an end at the limit itself would count as cut short
  return parse(&in);
}

CodedInputStream stream_of(std::string_view bytes) {
  return CodedInputStream(reinterpret_cast<const uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
}

template <class Message>
absl::StatusOr<Message> parse_message(std::string_view bytes) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return malformed(message);
  return message;
}

absl::StatusOr<Chunk> read_chunk(CodedInputStream* in) {
  Chunk chunk;
  v1::RunRequest rest;
  RETURN_IF_ERROR(read_message(in, &rest, [&](int field) -> absl::StatusOr<bool> {
    switch (field) {
      case v1::RunRequest::kIdsFieldNumber:
        RETURN_IF_ERROR(read_array("ids", in, &chunk.ids));
        return true;
      case v1::RunRequest::kLengthsFieldNumber:
        RETURN_IF_ERROR(read_array("lengths", in, &chunk.lengths));
        return true;
      case v1::RunRequest::kSpansFieldNumber:
        RETURN_IF_ERROR(read_array("spans", in, &chunk.spans));
        return true;
      case v1::RunRequest::kSpanCountsFieldNumber:
        RETURN_IF_ERROR(read_array("span_counts", in, &chunk.span_counts));
        return true;
      case v1::RunRequest::kKeyCountsFieldNumber:
        RETURN_IF_ERROR(read_array("key_counts", in, &chunk.key_counts));
        return true;
      case v1::RunRequest::kTokenTypesFieldNumber:
        RETURN_IF_ERROR(read_array("token_types", in, &chunk.token_types));
        return true;
      default:
        return false;
    }
  }));
  const v1::OutputSpec& spec = rest.spec();
  if (!v1::Output_IsValid(spec.output()) || spec.output() == v1::OUTPUT_UNSPECIFIED) {
    return absl::InvalidArgumentError(fmt::format("spec.output: {} is not known", static_cast<int>(spec.output())));
  }
  if (spec.dimensions() > INT32_MAX) return absl::InvalidArgumentError("spec.dimensions: too large");
  chunk.spec = {static_cast<Output>(spec.output()), static_cast<int32_t>(spec.dimensions()), spec.normalize()};
  chunk.lane = rest.lane() == v1::LANE_BULK ? Lane::kBulk : Lane::kOnline;
  chunk.request_id = rest.request_id();
  chunk.continues = rest.continues();
  chunk.weights_fingerprint = rest.weights_fingerprint();
  return chunk;
}

absl::StatusOr<Reply> read_reply(CodedInputStream* in) {
  Reply reply;
  v1::RunReply rest;
  RETURN_IF_ERROR(read_message(in, &rest, [&](int field) -> absl::StatusOr<bool> {
    if (field != v1::RunReply::kValuesFieldNumber) return false;
    RETURN_IF_ERROR(read_array("values", in, &reply.values));
    return true;
  }));
  if (rest.row_size() == 0 || rest.row_size() > INT32_MAX || reply.values.size() % rest.row_size() != 0) {
    return absl::InvalidArgumentError(
        fmt::format("row_size {} does not divide {} values", rest.row_size(), reply.values.size()));
  }
  reply.row_size = static_cast<int32_t>(rest.row_size());
  const size_t rows = reply.values.size() / rest.row_size();
  for (const v1::SequenceStatus& failure : rest.failures()) {
    const bool ascends = reply.failures.empty() || static_cast<int32_t>(failure.index()) > reply.failures.back().index;
    if (failure.index() >= rows || !ascends) {
      return absl::InvalidArgumentError(
          fmt::format("failure of sequence {} of {}, or told twice or out of order", failure.index(), rows));
    }
    const auto code = failure.code() == 0 ? absl::StatusCode::kUnknown : static_cast<absl::StatusCode>(failure.code());
    reply.failures.push_back({static_cast<int32_t>(failure.index()), absl::Status(code, failure.message())});
  }
  reply.times = {rest.times().queue_us(), rest.times().compute_us()};
  reply.load = {rest.load().queued_tokens(), rest.load().tokens_per_second()};
  return reply;
}

}  // namespace

Segments to_segments(Chunk chunk) {
  v1::RunRequest rest;
  rest.mutable_spec()->set_output(static_cast<v1::Output>(chunk.spec.output));
  rest.mutable_spec()->set_dimensions(static_cast<uint32_t>(chunk.spec.dimensions));
  rest.mutable_spec()->set_normalize(chunk.spec.normalize);
  rest.set_lane(static_cast<v1::Lane>(chunk.lane));
  rest.set_request_id(std::move(chunk.request_id));
  rest.set_continues(chunk.continues);
  rest.set_weights_fingerprint(chunk.weights_fingerprint);
  Segments segments = {segment_of(rest.SerializeAsString())};
  add_array(v1::RunRequest::kIdsFieldNumber, std::move(chunk.ids), &segments);
  add_array(v1::RunRequest::kLengthsFieldNumber, std::move(chunk.lengths), &segments);
  add_array(v1::RunRequest::kTokenTypesFieldNumber, std::move(chunk.token_types), &segments);
  add_array(v1::RunRequest::kSpansFieldNumber, std::move(chunk.spans), &segments);
  add_array(v1::RunRequest::kKeyCountsFieldNumber, std::move(chunk.key_counts), &segments);
  add_array(v1::RunRequest::kSpanCountsFieldNumber, std::move(chunk.span_counts), &segments);
  return segments;
}

absl::StatusOr<Chunk> parse_chunk(google::protobuf::io::ZeroCopyInputStream* in, size_t size) {
  return limited(CodedInputStream(in), size, read_chunk);
}

absl::StatusOr<Chunk> parse_chunk(std::string_view bytes) {
  return limited(stream_of(bytes), bytes.size(), read_chunk);
}

Segments to_segments(Reply reply) {
  v1::RunReply rest;
  rest.set_row_size(static_cast<uint32_t>(reply.row_size));
  for (const SequenceFailure& failure : reply.failures) {
    v1::SequenceStatus* status = rest.add_failures();
    status->set_index(static_cast<uint32_t>(failure.index));
    status->set_code(static_cast<uint32_t>(failure.status.code()));
    status->set_message(std::string(failure.status.message()));
  }
  rest.mutable_times()->set_queue_us(reply.times.queue_us);
  rest.mutable_times()->set_compute_us(reply.times.compute_us);
  rest.mutable_load()->set_queued_tokens(reply.load.queued_tokens);
  rest.mutable_load()->set_tokens_per_second(reply.load.tokens_per_second);
  Segments segments = {segment_of(rest.SerializeAsString())};
  add_array(v1::RunReply::kValuesFieldNumber, std::move(reply.values), &segments);
  return segments;
}

absl::StatusOr<Reply> parse_reply(google::protobuf::io::ZeroCopyInputStream* in, size_t size) {
  return limited(CodedInputStream(in), size, read_reply);
}

absl::StatusOr<Reply> parse_reply(std::string_view bytes) {
  return limited(stream_of(bytes), bytes.size(), read_reply);
}

std::string joined(const Segments& segments) {
  std::string all;
  for (const Segment& segment : segments) all += segment.bytes;
  return all;
}

std::string serialize(const ModelCard& card) {
  v1::ModelCard message;
  message.set_name(card.name);
  message.set_protocol(card.protocol);
  message.set_weights_fingerprint(card.weights_fingerprint);
  message.set_tokenizer_fingerprint(card.tokenizer_fingerprint);
  message.set_dimensions(static_cast<uint32_t>(card.dimensions));
  message.set_labels(static_cast<uint32_t>(card.labels));
  message.set_token_dimensions(static_cast<uint32_t>(card.token_dimensions));
  message.set_tanh_int8(card.tanh_int8);
  message.mutable_label_names()->Add(card.label_names.begin(), card.label_names.end());
  message.set_max_tokens(static_cast<uint32_t>(card.max_tokens));
  message.set_vocab_size(static_cast<uint32_t>(card.vocab_size));
  message.set_pooling(card.pooling);
  for (const Output output : card.outputs) message.add_outputs(static_cast<v1::Output>(output));
  message.set_token_budget(static_cast<uint32_t>(card.token_budget));
  message.set_saturation_tokens(static_cast<uint32_t>(card.saturation_tokens));
  message.set_device(card.device);
  message.set_dtype(card.dtype);
  message.set_isa_level(card.isa_level);
  return message.SerializeAsString();
}

absl::StatusOr<ModelCard> parse_card(std::string_view bytes) {
  ASSIGN_OR_RETURN(const auto message, parse_message<v1::ModelCard>(bytes));
  if (message.protocol() != ModelCard{}.protocol) {
    return absl::FailedPreconditionError(
        fmt::format("protocol {} is not {}", message.protocol(), ModelCard{}.protocol));
  }
  for (const uint32_t number : {message.dimensions(), message.labels(), message.max_tokens(), message.vocab_size(),
                                message.token_budget(), message.saturation_tokens(), message.token_dimensions()}) {
    if (number > INT32_MAX) return absl::InvalidArgumentError(fmt::format("a model card with the number {}", number));
  }
  ModelCard card;
  card.name = message.name();
  card.weights_fingerprint = message.weights_fingerprint();
  card.tokenizer_fingerprint = message.tokenizer_fingerprint();
  card.dimensions = static_cast<int32_t>(message.dimensions());
  card.labels = static_cast<int32_t>(message.labels());
  card.token_dimensions = static_cast<int32_t>(message.token_dimensions());
  card.tanh_int8 = message.tanh_int8();
  card.label_names.assign(message.label_names().begin(), message.label_names().end());
  card.max_tokens = static_cast<int32_t>(message.max_tokens());
  card.vocab_size = static_cast<int32_t>(message.vocab_size());
  card.pooling = message.pooling();
  for (const int output : message.outputs()) {
    if (v1::Output_IsValid(output)) card.outputs.push_back(static_cast<Output>(output));  // not what is newer than we
  }
  card.token_budget = static_cast<int32_t>(message.token_budget());
  card.saturation_tokens = static_cast<int32_t>(message.saturation_tokens());
  card.device = message.device();
  card.dtype = message.dtype();
  card.isa_level = message.isa_level();
  return card;
}

}  // namespace bouquet::tulip
