// A job's way: checked, prepared (here or on a worker), split, sent, joined, handed back.
#include "ivy/gateway.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ivy/failure.h"
#include "ivy/join.h"
#include "ivy/meters.h"
#include "ivy/multi_vector.h"
#include "ivy/pacing.h"
#include "ivy/sparse.h"
#include "ivy/split.h"

namespace bouquet::ivy {
namespace {

constexpr size_t kInlineBytes = 16 << 10;   // text up to this is tokenized on the caller's thread: under about 1 ms
constexpr size_t kInlineValues = 64 << 10;  // results up to this are encoded on the caller's executor
constexpr size_t kMostWaiting = 4096;       // large jobs waiting for a worker
constexpr std::chrono::milliseconds kRetryAfter{1000};

// Bytes that the tokenizer will have to read.
size_t weight_of(const Job& job) {
  size_t bytes = job.options.prompt ? job.options.prompt->size() * job.inputs.size() : 0;
  if (job.task == Task::kScore) bytes += job.query.size() * job.inputs.size();
  for (const Input& input : job.inputs) {
    if (const auto* text = std::get_if<std::string>(&input)) bytes += text->size();
    if (const auto* pair = std::get_if<TextPair>(&input)) bytes += pair->first.size() + pair->second.size();
    if (const auto* ids = std::get_if<TokenIds>(&input)) bytes += ids->size();
    if (const auto* chunks = std::get_if<ChunkedText>(&input)) {
      for (const std::string& chunk : *chunks) bytes += chunk.size();
    }
  }
  return bytes;
}

bool gives(const tulip::ModelCard& card, tulip::Output output) {
  return std::find(card.outputs.begin(), card.outputs.end(), output) != card.outputs.end();
}

tulip::Output output_of(Task task, const tulip::ModelCard& card) {
  switch (task) {
    case Task::kScore:
    case Task::kClassify:
      return tulip::Output::kLogits;
    case Task::kTokens:
      return tulip::Output::kTokens;
    case Task::kMultiVector:
      return tulip::Output::kMultiVector;
    case Task::kSparse:
      return gives(card, tulip::Output::kLexical) ? tulip::Output::kLexical : tulip::Output::kVocabulary;
    default:
      return tulip::Output::kEmbedding;
  }
}

// Empty: one each.
std::vector<int32_t> row_counts_of(const Prepared& prepared, tulip::Output output) {
  return tulip::is_per_token(output) ? prepared.lengths : prepared.span_counts;
}

absl::StatusOr<ModelInfo> make_model(const GatewayOptions& options, tulip::ModelCard card) {
  ModelInfo model;
  model.name = options.model_name.empty() ? card.name : options.model_name;
  model.labels = options.labels.empty() ? card.label_names : options.labels;
  model.embeds = gives(card, tulip::Output::kEmbedding) && card.dimensions > 0;
  model.classifies = gives(card, tulip::Output::kLogits) && card.labels > 0;
  model.reranks = model.classifies && card.labels == 1;
  model.sparse = gives(card, tulip::Output::kLexical) || gives(card, tulip::Output::kVocabulary);
  model.multi_vector = gives(card, tulip::Output::kMultiVector);
  model.tokens = gives(card, tulip::Output::kTokens);
  if (model.labels.empty()) {
    for (int32_t i = 0; i < card.labels; ++i) model.labels.push_back(absl::StrCat("LABEL_", i));
  }
  if (model.labels.size() != static_cast<size_t>(card.labels)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the model has ", card.labels, " labels, but ", model.labels.size(), " names were given"));
  }
  model.card = std::move(card);
  return model;
}

}  // namespace

// One job between run() and its done().
struct Gateway::Running {
  Running(Gateway& owner, Job its_job, JobDone its_done)
      : gateway(owner), job(std::move(its_job)), done(std::move(its_done)) {
    meters().jobs.Increment();
    std::lock_guard lock(gateway.running_mutex_);
    ++gateway.running_;
  }
  ~Running() {
    meters().jobs.Decrement();
    std::lock_guard lock(gateway.running_mutex_);
    if (--gateway.running_ == 0) gateway.none_running_.notify_all();
  }

  tulip::Chunk chunk(size_t index) const {
    const ChunkRange& range = join->chunks()[index];
    const auto slice = [&](const auto& all, size_t first, size_t count) {
      const auto begin = all.begin() + static_cast<ptrdiff_t>(first);
      return std::decay_t<decltype(all)>(begin, begin + static_cast<ptrdiff_t>(count));
    };
    tulip::Chunk chunk;
    chunk.ids = slice(prepared.ids, range.first_token, range.tokens);
    chunk.lengths = slice(prepared.lengths, range.first, range.count);
    if (!prepared.token_types.empty()) chunk.token_types = slice(prepared.token_types, range.first_token, range.tokens);
    if (!prepared.span_counts.empty()) {
      const auto first = prepared.span_counts.begin() + static_cast<ptrdiff_t>(range.first);
      const size_t before = static_cast<size_t>(std::accumulate(prepared.span_counts.begin(), first, int64_t{0}));
      chunk.span_counts = slice(prepared.span_counts, range.first, range.count);
      const auto spans = std::accumulate(chunk.span_counts.begin(), chunk.span_counts.end(), int64_t{0});
      chunk.spans = slice(prepared.spans, 2 * before, 2 * static_cast<size_t>(spans));
    }
    if (!prepared.key_counts.empty()) chunk.key_counts = slice(prepared.key_counts, range.first, range.count);
    chunk.spec = spec;
    chunk.lane = lane;
    chunk.request_id = job.request_id;
    chunk.traceparent = job.traceparent;
    chunk.continues = index > 0;
    chunk.weights_fingerprint = gateway.model_.card.weights_fingerprint;
    return chunk;
  }

  // The job's result, where this chunk decides it: the last to come, or the first to fail.
  std::optional<absl::StatusOr<JobResult>> add(size_t index, absl::StatusOr<tulip::Reply> reply) {
    std::lock_guard lock(mutex);
    if (!join->add(index, std::move(reply))) return std::nullopt;
    if (!join->status().ok()) {
      stop.request_stop();  // before another chunk's end can send one more
      return join->status();
    }
    result.values = join->take_values();
    result.row_counts = join->take_row_counts();
    result.row_size = join->row_size();
    result.times.queue_us = join->times().queue_us;
    result.times.compute_us = join->times().compute_us;
    return std::move(result);
  }

  Gateway& gateway;
  const Job job;
  const JobDone done;
  Prepared prepared;
  JobResult result;  // all but the values, once prepared
  tulip::OutputSpec spec;
  tulip::Lane lane = tulip::Lane::kOnline;
  std::stop_source stop;  // the client's wish, or a chunk that failed
  std::optional<std::stop_callback<std::function<void()>>> client_left;
  std::optional<Pacing> pacing;
  std::atomic<int> to_send{0};  // chunks that somebody is just sending
  std::mutex mutex;
  std::optional<Join> join;  // its chunks are fixed; the rest under mutex
};

absl::StatusOr<std::unique_ptr<Gateway>> Gateway::create(GatewayOptions options,
                                                         std::shared_ptr<const tokenizer::Tokenizer> tokenizer,
                                                         std::shared_ptr<Fleet> fleet) {
  // Read once: batch sizes that a replica finds out later reach its scheduler at once, the splitting at the next start.
  std::optional<tulip::ModelCard> card = fleet->card();
  if (!card) return absl::FailedPreconditionError("a gateway needs at least one replica");
  ASSIGN_OR_RETURN(ModelInfo model, make_model(options, *std::move(card)));
  std::unique_ptr<Gateway> gateway(
      new Gateway(std::move(options), std::move(model), std::move(tokenizer), std::move(fleet)));
  RETURN_IF_ERROR(gateway->accepts(*gateway->recipe()));
  return gateway;
}

Gateway::Gateway(GatewayOptions options, ModelInfo model, std::shared_ptr<const tokenizer::Tokenizer> tokenizer,
                 std::shared_ptr<Fleet> fleet)
    : options_(std::move(options)),
      model_(std::move(model)),
      tokenizer_(std::move(tokenizer)),
      fleet_(std::move(fleet)),
      recipe_(std::make_shared<const Recipe>(options_.recipe)),
      workers_("ivy-worker", std::max(1, options_.worker_threads), kMostWaiting) {
  meters();
  if (options_.result_cache_bytes > 0) {
    cache_.emplace(ResultCacheOptions{options_.result_cache_bytes},
                   [fleet = fleet_.get()](Errand errand) { fleet->run(std::move(errand)); });
  }
}

Gateway::~Gateway() {
  std::unique_lock lock(running_mutex_);
  none_running_.wait(lock, [this] { return running_ == 0; });
}

absl::Status Gateway::accepts(const Recipe& recipe) const {
  if (model_.card.max_tokens <= 0 || recipe.max_length <= model_.card.max_tokens) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("max_length is ", recipe.max_length, ", but the model takes ", model_.card.max_tokens, " tokens"));
}

int32_t Gateway::max_length() const {
  const int32_t wanted = recipe_.get()->max_length;
  return wanted > 0 ? wanted : model_.card.max_tokens;
}

absl::Status Gateway::check(const Job& job) const {
  if (job.inputs.empty()) return empty_input(job.field, absl::StrCat(job.field, " is empty"));
  if ((job.task == Task::kEmbed || job.task == Task::kContext) && !model_.embeds) {
    const char* kind = model_.reranks ? "it is a reranker" : model_.classifies ? "it is a classifier" : "see its tasks";
    return absl::FailedPreconditionError(absl::StrCat(model_.name, " gives no embeddings; ", kind));
  }
  if (job.task == Task::kScore && !model_.reranks) {
    return absl::FailedPreconditionError(
        absl::StrCat(model_.name, " is not a reranker: it has no head with one logit"));
  }
  if (job.task == Task::kClassify && !model_.classifies) {
    return absl::FailedPreconditionError(absl::StrCat(model_.name, " is not a classifier: it has no logits"));
  }
  if (job.task == Task::kSparse && !model_.sparse) {
    return absl::FailedPreconditionError(absl::StrCat(model_.name, " gives no sparse vectors"));
  }
  const auto is_text = [](const Input& input) { return std::holds_alternative<std::string>(input); };
  if (job.task == Task::kMultiVector && !std::all_of(job.inputs.begin(), job.inputs.end(), is_text)) {
    return invalid_input(job.field, "late interaction takes texts alone");
  }
  if (job.task == Task::kMultiVector && !model_.multi_vector) {
    return absl::FailedPreconditionError(absl::StrCat(model_.name, " gives no vectors for late interaction"));
  }
  if (job.task == Task::kTokens && !model_.tokens) {
    return absl::FailedPreconditionError(absl::StrCat(model_.name, " gives no vectors of tokens"));
  }
  const int32_t width = job.task == Task::kMultiVector ? model_.card.token_dimensions : model_.card.dimensions;
  if (job.options.dimensions && (*job.options.dimensions < 1 || *job.options.dimensions > width)) {
    return invalid_input("dimensions",
                         absl::StrCat("dimensions is ", *job.options.dimensions, ", but must be from 1 to ", width));
  }
  return absl::OkStatus();
}

void Gateway::run(Job job, JobDone done) {
  auto running = std::make_shared<Running>(*this, std::move(job), std::move(done));
  if (absl::Status status = check(running->job); !status.ok()) return finish(running, std::move(status));
  if (weight_of(running->job) <= kInlineBytes) return begin(running);
  if (!workers_.try_post([this, running] { begin(running); })) {
    finish(running, tulip::overloaded_error("too many large requests are waiting", kRetryAfter));
  }
}

void Gateway::begin(std::shared_ptr<Running> running) {
  const Job& job = running->job;
  const auto start = tulip::Clock::now();
  const std::shared_ptr<const Recipe> recipe = recipe_.get();
  const int32_t limit = recipe->max_length > 0 ? recipe->max_length : model_.card.max_tokens;
  const Kitchen kitchen{*tokenizer_,
                        *recipe,
                        limit,
                        model_.card.vocab_size,
                        model_.card.pooling.find("last") != std::string::npos,
                        options_.raw_token_ids};
  if (job.task == Task::kDecode) {
    absl::StatusOr<std::vector<std::string>> texts = decode(job, kitchen);
    if (!texts.ok()) return finish(running, texts.status());
    running->result.texts = *std::move(texts);
    return finish(running, std::move(running->result));
  }
  absl::StatusOr<Prepared> prepared = prepare(job, kitchen);
  if (!prepared.ok()) return finish(running, prepared.status());
  JobResult& result = running->result;
  result.tokens = static_cast<int64_t>(prepared->ids.size());
  result.text_bytes = prepared->text_bytes;
  result.truncated = prepared->truncated;
  const auto spent = tulip::Clock::now() - start;
  result.times.tokenize_us =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(spent).count());
  meters().tokenize.Observe(std::chrono::duration<double>(spent).count());
  if (job.task == Task::kTokenize) {
    result.encodings = std::move(prepared->encodings);
    result.texts = std::move(prepared->texts);
    return finish(running, std::move(result));
  }
  running->prepared = *std::move(prepared);
  send(running);
}

void Gateway::send(const std::shared_ptr<Running>& running) {
  const Job& job = running->job;
  const auto budget = model_.card.token_budget;
  running->spec.output = output_of(job.task, model_.card);
  running->spec.dimensions = static_cast<int32_t>(job.options.dimensions.value_or(0));
  const bool vectors = job.task == Task::kEmbed || job.task == Task::kContext || job.task == Task::kMultiVector;
  running->spec.normalize = vectors && job.options.normalize;
  const bool bulk = budget > 0 && running->prepared.ids.size() > static_cast<size_t>(budget);
  running->lane = job.options.lane.value_or(bulk ? tulip::Lane::kBulk : tulip::Lane::kOnline);
  running->join.emplace(job.inputs.size(), split_by_tokens(running->prepared.lengths, budget), job.field, job.single,
                        row_counts_of(running->prepared, running->spec.output));
  running->client_left.emplace(job.call.cancelled, [stop = running->stop]() mutable { stop.request_stop(); });
  meters().inputs.Increment(static_cast<double>(job.inputs.size()));
  meters().tokens.Increment(static_cast<double>(running->prepared.ids.size()));
  meters().truncated.Increment(running->prepared.truncated);
  running->pacing.emplace(running->join->chunks().size(), fleet_->size());
  for (size_t i = 0; i < running->pacing->at_once(); ++i) send_next(running);
}

// Sends one more chunk. What is answered on the spot, as by the cache, wants the next one sent at once: the call that
// is sending does that, for else a job of many chunks would go deep into the stack.
void Gateway::send_next(const std::shared_ptr<Running>& running) {
  if (running->to_send.fetch_add(1) > 0) return;
  do send_one(running);
  while (running->to_send.fetch_sub(1) > 1);
}

void Gateway::send_one(const std::shared_ptr<Running>& running) {
  const std::optional<size_t> next = running->pacing->next(running->stop.stop_requested());
  if (!next) return;
  const size_t chunk = *next;
  Errand errand{.chunk = [running, chunk] { return running->chunk(chunk); },
                .tokens = running->join->chunks()[chunk].tokens,
                .lane = running->lane,
                .options = {running->job.call.deadline, running->stop.get_token()},
                .done = [this, running,
                         chunk](absl::StatusOr<tulip::Reply> reply) { arrived(running, chunk, std::move(reply)); }};
  const bool one_row_each = running->prepared.span_counts.empty() && !tulip::is_per_token(running->spec.output);
  cache_&& one_row_each ? cache_->run(std::move(errand)) : fleet_->run(std::move(errand));
}

void Gateway::arrived(const std::shared_ptr<Running>& running, size_t chunk, absl::StatusOr<tulip::Reply> reply) {
  std::optional<absl::StatusOr<JobResult>> result = running->add(chunk, std::move(reply));
  if (!result) return send_next(running);
  if (result->ok()) {
    if (running->job.task == Task::kMultiVector) drop_vectors(running->prepared, &**result);
    if (running->job.task == Task::kSparse) make_sparse(running->prepared, *tokenizer_, &**result);
    meters().queue.Observe(static_cast<double>((*result)->times.queue_us) * 1e-6);
    meters().compute.Observe(static_cast<double>((*result)->times.compute_us) * 1e-6);
  }
  finish(running, *std::move(result));
}

void Gateway::finish(const std::shared_ptr<Running>& running, absl::StatusOr<JobResult> result) {
  const bool large = result.ok() && result->values.size() > kInlineValues;
  auto shared = std::make_shared<absl::StatusOr<JobResult>>(std::move(result));
  Work hand_back = [running, shared] { running->done(std::move(*shared)); };
  if (large) {
    workers_.post(std::move(hand_back));
  } else if (running->job.reply_on) {
    running->job.reply_on(std::move(hand_back));
  } else {
    hand_back();
  }
}

}  // namespace bouquet::ivy
