// Plain structs to protobuf and back; arrays as packed little-endian bytes.
#include "tulip/codec.h"

#include <bit>
#include <cstring>

#include "base/status.h"
#include "bouquet/v1/tulip.pb.h"
#include "fmt/format.h"

namespace bouquet::tulip {
namespace {

static_assert(std::endian::native == std::endian::little, "packed arrays are copied as they lie in memory");

template <class T>
void pack(const std::vector<T>& values, std::string* out) {
  out->assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <class T>
absl::StatusOr<std::vector<T>> unpack(const std::string& bytes, std::string_view field) {
  if (bytes.size() % sizeof(T) != 0) {
    return absl::InvalidArgumentError(fmt::format("{}: {} bytes are no whole elements", field, bytes.size()));
  }
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());  // data() of none may be null
  return values;
}

template <class Message>
absl::StatusOr<Message> parse_message(std::string_view bytes) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::InvalidArgumentError(fmt::format("not a {} message", Message::descriptor()->full_name()));
  }
  return message;
}

}  // namespace

std::string serialize(const Chunk& chunk) {
  v1::RunRequest message;
  pack(chunk.ids, message.mutable_ids());
  pack(chunk.lengths, message.mutable_lengths());
  pack(chunk.token_types, message.mutable_token_types());
  message.mutable_spec()->set_output(static_cast<v1::Output>(chunk.spec.output));
  message.mutable_spec()->set_dimensions(chunk.spec.dimensions);
  message.mutable_spec()->set_normalize(chunk.spec.normalize);
  message.set_lane(static_cast<v1::Lane>(chunk.lane));
  message.set_request_id(chunk.request_id);
  message.set_continues(chunk.continues);
  return message.SerializeAsString();
}

absl::StatusOr<Chunk> parse_chunk(std::string_view bytes) {
  ASSIGN_OR_RETURN(const auto message, parse_message<v1::RunRequest>(bytes));
  Chunk chunk;
  ASSIGN_OR_RETURN(chunk.ids, unpack<int32_t>(message.ids(), "ids"));
  ASSIGN_OR_RETURN(chunk.lengths, unpack<int32_t>(message.lengths(), "lengths"));
  ASSIGN_OR_RETURN(chunk.token_types, unpack<uint8_t>(message.token_types(), "token_types"));
  const v1::OutputSpec& spec = message.spec();
  if (spec.output() != v1::OUTPUT_EMBEDDING && spec.output() != v1::OUTPUT_LOGITS) {
    return absl::InvalidArgumentError(fmt::format("spec.output: {} is not known", static_cast<int>(spec.output())));
  }
  if (spec.dimensions() > INT32_MAX) return absl::InvalidArgumentError("spec.dimensions: too large");
  chunk.spec = {static_cast<Output>(spec.output()), static_cast<int32_t>(spec.dimensions()), spec.normalize()};
  chunk.lane = message.lane() == v1::LANE_BULK ? Lane::kBulk : Lane::kOnline;
  chunk.request_id = message.request_id();
  chunk.continues = message.continues();
  return chunk;
}

std::string serialize(const Reply& reply) {
  v1::RunReply message;
  pack(reply.values, message.mutable_values());
  message.set_row_size(reply.row_size);
  for (const SequenceFailure& failure : reply.failures) {
    v1::SequenceStatus* status = message.add_failures();
    status->set_index(failure.index);
    status->set_code(static_cast<uint32_t>(failure.status.code()));
    status->set_message(std::string(failure.status.message()));
  }
  message.mutable_times()->set_queue_us(reply.times.queue_us);
  message.mutable_times()->set_compute_us(reply.times.compute_us);
  message.mutable_load()->set_queued_tokens(reply.load.queued_tokens);
  message.mutable_load()->set_tokens_per_second(reply.load.tokens_per_second);
  return message.SerializeAsString();
}

absl::StatusOr<Reply> parse_reply(std::string_view bytes) {
  ASSIGN_OR_RETURN(const auto message, parse_message<v1::RunReply>(bytes));
  Reply reply;
  ASSIGN_OR_RETURN(reply.values, unpack<float>(message.values(), "values"));
  if (message.row_size() == 0 || message.row_size() > INT32_MAX || reply.values.size() % message.row_size() != 0) {
    return absl::InvalidArgumentError(
        fmt::format("row_size {} does not divide {} values", message.row_size(), reply.values.size()));
  }
  reply.row_size = static_cast<int32_t>(message.row_size());
  const size_t rows = reply.values.size() / message.row_size();
  for (const v1::SequenceStatus& failure : message.failures()) {
    if (failure.index() >= rows)
      return absl::InvalidArgumentError(fmt::format("failure of sequence {} of {}", failure.index(), rows));
    const auto code = failure.code() == 0 ? absl::StatusCode::kUnknown : static_cast<absl::StatusCode>(failure.code());
    reply.failures.push_back({static_cast<int32_t>(failure.index()), absl::Status(code, failure.message())});
  }
  reply.times = {message.times().queue_us(), message.times().compute_us()};
  reply.load = {message.load().queued_tokens(), message.load().tokens_per_second()};
  return reply;
}

std::string serialize(const ModelCard& card) {
  v1::ModelCard message;
  message.set_name(card.name);
  message.set_protocol(card.protocol);
  message.set_weights_fingerprint(card.weights_fingerprint);
  message.set_tokenizer_fingerprint(card.tokenizer_fingerprint);
  message.set_dimensions(card.dimensions);
  message.set_labels(card.labels);
  message.set_max_tokens(card.max_tokens);
  message.set_vocab_size(card.vocab_size);
  message.set_pooling(card.pooling);
  for (const Output output : card.outputs) message.add_outputs(static_cast<v1::Output>(output));
  message.set_token_budget(card.token_budget);
  message.set_saturation_tokens(card.saturation_tokens);
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
  ModelCard card;
  card.name = message.name();
  card.weights_fingerprint = message.weights_fingerprint();
  card.tokenizer_fingerprint = message.tokenizer_fingerprint();
  card.dimensions = static_cast<int32_t>(message.dimensions());
  card.labels = static_cast<int32_t>(message.labels());
  card.max_tokens = static_cast<int32_t>(message.max_tokens());
  card.vocab_size = static_cast<int32_t>(message.vocab_size());
  card.pooling = message.pooling();
  for (const int output : message.outputs()) card.outputs.push_back(static_cast<Output>(output));
  card.token_budget = static_cast<int32_t>(message.token_budget());
  card.saturation_tokens = static_cast<int32_t>(message.saturation_tokens());
  card.device = message.device();
  card.dtype = message.dtype();
  card.isa_level = message.isa_level();
  return card;
}

}  // namespace bouquet::tulip
