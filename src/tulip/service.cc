// Checks, the self-test, readiness; everything else is the runner's.
#include "tulip/service.h"

#include "base/log.h"
#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::tulip {
namespace {

constexpr int64_t kMostTokens = 1 << 20;        // of a chunk; gateways send a few thousand
constexpr int64_t kMostReplyValues = 64 << 20;  // 256 MB

int32_t width_of(const rose::EngineInfo& info, Output output) { return info.width(static_cast<rose::Output>(output)); }

absl::Status check_spec(const OutputSpec& spec, const rose::EngineInfo& info) {
  const int32_t width = width_of(info, spec.output);
  if (width == 0) {
    if (spec.output == Output::kEmbedding) return absl::InvalidArgumentError("this model gives scores, not embeddings");
    if (spec.output == Output::kLogits) return absl::InvalidArgumentError("this model gives embeddings, not scores");
    return absl::InvalidArgumentError("this model does not give this output");
  }
  if (spec.dimensions < 0 || spec.dimensions > width) {
    return absl::InvalidArgumentError(fmt::format("dimensions {} is not in 1 ... {}", spec.dimensions, width));
  }
  return absl::OkStatus();
}

// Spans belong to embeddings; each lies within its sequence and holds a token.
absl::Status check_spans(const Chunk& chunk, const rose::EngineInfo& info) {
  if (chunk.spans.empty() && chunk.span_counts.empty()) return absl::OkStatus();
  if (chunk.spec.output != Output::kEmbedding) return absl::InvalidArgumentError("only embeddings have spans");
  if (chunk.span_counts.size() != chunk.lengths.size()) {
    return absl::InvalidArgumentError("span_counts and lengths differ in length");
  }
  size_t next = 0;
  for (size_t i = 0; i < chunk.span_counts.size(); ++i) {
    const int32_t count = chunk.span_counts[i];
    if (count < 1 || count > info.max_batch_sequences || 2 * (next + size_t(count)) > chunk.spans.size()) {
      return absl::InvalidArgumentError(fmt::format("sequence {} has {} spans", i, count));
    }
    for (const size_t end = next + size_t(count); next < end; ++next) {
      const int32_t from = chunk.spans[2 * next], to = chunk.spans[2 * next + 1];
      if (from < 0 || from >= to || to > chunk.lengths[i]) {
        return absl::InvalidArgumentError(
            fmt::format("sequence {} of {} tokens has a span from {} to {}", i, chunk.lengths[i], from, to));
      }
    }
  }
  if (2 * next != chunk.spans.size()) return absl::InvalidArgumentError("spans and span_counts disagree");
  return absl::OkStatus();
}

absl::Status check_key_counts(const Chunk& chunk) {
  if (chunk.key_counts.empty()) return absl::OkStatus();
  if (chunk.key_counts.size() != chunk.lengths.size()) {
    return absl::InvalidArgumentError("key_counts and lengths differ in length");
  }
  for (size_t i = 0; i < chunk.lengths.size(); ++i) {
    if (chunk.key_counts[i] < 1 || chunk.key_counts[i] > chunk.lengths[i]) {
      return absl::InvalidArgumentError(
          fmt::format("sequence {} of {} tokens has {} keys", i, chunk.lengths[i], chunk.key_counts[i]));
    }
  }
  return absl::OkStatus();
}

// After the spec and the spans.
absl::Status check_reply(const Chunk& chunk, const rose::EngineInfo& info) {
  int64_t rows = 0;
  for (size_t i = 0; i < chunk.lengths.size(); ++i) rows += rows_of(chunk, i);
  if (rows * width_of(info, chunk.spec.output) <= kMostReplyValues) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{} rows of {} values are too much for one chunk", rows, width_of(info, chunk.spec.output)));
}

absl::Status self_test(rose::Engine& engine) {
  const rose::EngineInfo& info = engine.info();
  const int32_t length = std::min(8, info.model.max_tokens);
  std::vector<int32_t> ids(length);
  for (int32_t i = 0; i < length; ++i) ids[i] = (i * 37 + 1) % info.model.vocab_size;
  const int32_t cu_seqlens[] = {0, length};
  const rose::RowSpec spec;
  const rose::LazyTensor result = engine.step({ids, cu_seqlens, {}, {&spec, 1}});
  if (absl::Status status = result.wait(); !status.ok()) return status;
  const rose::OutputInfo& main = info.outputs.front();
  if (!is_sound(result.values(0), static_cast<size_t>(main.width), static_cast<Output>(main.output))) {
    return absl::InternalError(
        "self-test: the model's output is not finite; its weights are damaged or unsuitable for this dtype");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status check_chunk(const Chunk& chunk, const rose::EngineInfo& info) {
  if (chunk.weights_fingerprint != 0 && chunk.weights_fingerprint != info.model.fingerprint) {
    return absl::FailedPreconditionError("this replica has other weights than the chunk is meant for");
  }
  if (chunk.lengths.empty()) return absl::InvalidArgumentError("no sequences");
  if (!chunk.token_types.empty() && chunk.token_types.size() != chunk.ids.size()) {
    return absl::InvalidArgumentError("token_types and ids differ in length");
  }
  int64_t total = 0;
  for (size_t i = 0; i < chunk.lengths.size(); ++i) {
    const int32_t length = chunk.lengths[i];
    if (length < 1 || length > info.model.max_tokens) {
      return absl::InvalidArgumentError(
          fmt::format("sequence {} has {} tokens, not 1 ... {}", i, length, info.model.max_tokens));
    }
    total += length;
  }
  if (total != static_cast<int64_t>(chunk.ids.size())) return absl::InvalidArgumentError("lengths and ids disagree");
  if (total > kMostTokens) {
    return absl::InvalidArgumentError(
        fmt::format("{} sequences with {} tokens are too much for one chunk", chunk.lengths.size(), total));
  }
  for (int32_t id : chunk.ids) {
    if (id < 0 || id >= info.model.vocab_size) {
      return absl::InvalidArgumentError(fmt::format("token id {} is not in 0 ... {}", id, info.model.vocab_size - 1));
    }
  }
  for (uint8_t type : chunk.token_types) {
    if (type >= info.model.type_vocab_size) {
      return absl::InvalidArgumentError(
          fmt::format("token type {} is not in 0 ... {}", type, info.model.type_vocab_size - 1));
    }
  }
  RETURN_IF_ERROR(check_spec(chunk.spec, info));
  RETURN_IF_ERROR(check_spans(chunk, info));
  RETURN_IF_ERROR(check_key_counts(chunk));
  return check_reply(chunk, info);
}

Service::Service(std::unique_ptr<rose::Engine> engine, ServiceOptions options)
    : engine_(std::move(engine)), options_(std::move(options)) {
  RunnerOptions& runner = options_.runner;
  std::unique_ptr<Tuner> tuner;
  const bool has_speed = engine_->info().isa != "null";  // null kernels take what they are told to
  if (options_.tune && has_speed) {
    if (const auto known = load_tuning(options_.cache, tuning_key(engine_->info()))) {
      runner.scheduler.mixed_budget = known->saturation_tokens;
      runner.scheduler.bulk_budget = known->bulk_tokens;
      runner.graphs.inflection_tokens = known->inflection_tokens;
    } else {
      tuner = std::make_unique<Tuner>(engine_->info(), options_.cache);
    }
  }
  const int32_t most = engine_->info().max_batch_tokens;
  runner.scheduler.max_sequences = std::min(runner.scheduler.max_sequences, engine_->info().max_batch_sequences);
  runner.scheduler.mixed_budget = std::min(runner.scheduler.mixed_budget, most);
  runner.scheduler.bulk_budget = std::min(std::max(runner.scheduler.bulk_budget, runner.scheduler.mixed_budget), most);
  runner_ = std::make_unique<Runner>(*engine_, runner, std::move(tuner), stats_);
}

Service::~Service() = default;

absl::StatusOr<std::unique_ptr<Service>> Service::create(std::unique_ptr<rose::Engine> engine, ServiceOptions options) {
  RETURN_IF_ERROR(self_test(*engine));
  return std::unique_ptr<Service>(new Service(std::move(engine), std::move(options)));
}

ModelCard Service::card() const {
  const rose::EngineInfo& info = engine_->info();
  ModelCard card;
  card.name = options_.model_name;
  card.weights_fingerprint = info.model.fingerprint;
  card.dimensions = info.model.dimensions;
  card.tokenizer_fingerprint = options_.tokenizer_fingerprint;
  card.labels = static_cast<int32_t>(info.model.labels.size());
  card.label_names = info.model.labels;
  card.max_tokens = info.model.max_tokens;
  card.vocab_size = info.model.vocab_size;
  card.pooling = info.model.pooling;
  for (const rose::OutputInfo& output : info.outputs) card.outputs.push_back(static_cast<Output>(output.output));
  card.token_dimensions = width_of(info, Output::kMultiVector);
  card.tanh_int8 = info.model.tanh_int8;
  card.saturation_tokens = runner_->saturation_tokens();
  card.token_budget = std::max(card.saturation_tokens, options_.runner.scheduler.bulk_budget);
  card.device = info.device;
  card.dtype = info.dtype;
  card.isa_level = info.isa;
  return card;
}

void Service::run(Chunk chunk, CallOptions options, Done done) {
  if (info().model.type_vocab_size == 1) chunk.token_types.clear();  // tokenizers give them to models that know none
  if (absl::Status status = check_chunk(chunk, info()); !status.ok()) {
    stats_.refused_invalid.Increment();
    return done(std::move(status));
  }
  const int32_t row_size = width_of(info(), chunk.spec.output);
  auto call = std::make_shared<Call>(std::move(chunk), std::move(options), std::move(done), row_size);
  if (absl::Status status = runner_->submit(call); !status.ok()) call->abandon(std::move(status));
}

bool Service::ready() const {
  if (draining_) return false;
  const Clock::duration age = runner_->oldest_step_age(Clock::now());
  const bool stuck = age > options_.stuck_after;
  if (stuck && !stuck_.exchange(stuck)) {
    log_error("a step is stuck",
              {{"seconds", std::to_string(std::chrono::duration_cast<std::chrono::seconds>(age).count())}});
  }
  stuck_ = stuck;
  return !stuck;
}

void Service::drain() {
  draining_ = true;
  runner_->drain();
}

}  // namespace bouquet::tulip
