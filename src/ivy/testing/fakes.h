// A tokenizer and a Tulip for Ivy's tests: simple enough to know every answer by heart.
#pragma once

#include <cmath>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ivy/gateway.h"
#include "ivy/workers.h"
#include "tokenizer/tokenizer.h"
#include "tulip/client.h"

namespace bouquet::ivy::testing_fakes {

// Words between spaces are tokens; a word's id is 10 + its bytes' sum mod 80. [CLS] is 1, [SEP] is 2, 100 ids in all.
class FakeTokenizer : public tokenizer::Tokenizer {
 public:
  void encode(std::string_view text, const tokenizer::EncodeOptions& options, tokenizer::Encoding* out) const override {
    out->ids.clear(), out->type_ids.clear(), out->offsets.clear(), out->special.clear();
    std::vector<Word> words = words_of(text);
    const size_t specials = options.add_special_tokens ? 2 : 0;
    out->truncated = options.max_length > 0 && words.size() + specials > static_cast<size_t>(options.max_length);
    if (out->truncated) cut(&words, static_cast<size_t>(options.max_length) - specials, options.truncation_side);
    if (options.add_special_tokens) push(1, {}, 0, true, out);
    for (const Word& word : words) push(word.id, word.offset, 0, false, out);
    if (options.add_special_tokens) push(2, {}, 0, true, out);
  }
  bool encode_ids(std::string_view text, const tokenizer::EncodeOptions& options,
                  std::vector<int32_t>* ids) const override {
    tokenizer::Encoding encoding;
    encode(text, options, &encoding);
    *ids = encoding.ids;
    return encoding.truncated;
  }
  void encode_pair(std::string_view a, std::string_view b, const tokenizer::EncodeOptions& options,
                   tokenizer::Encoding* out) const override {
    out->ids.clear(), out->type_ids.clear(), out->offsets.clear(), out->special.clear();
    std::vector<Word> first = words_of(a), second = words_of(b);
    out->truncated = false;
    while (options.max_length > 0 && first.size() + second.size() + 3 > static_cast<size_t>(options.max_length)) {
      (first.size() > second.size() ? first : second).pop_back();
      out->truncated = true;
    }
    push(1, {}, 0, true, out);
    for (const Word& word : first) push(word.id, word.offset, 0, false, out);
    push(2, {}, 0, true, out);
    for (const Word& word : second) push(word.id, word.offset, 1, false, out);
    push(2, {}, 1, true, out);
  }
  std::string decode(std::span<const int32_t> ids, bool skip_special_tokens) const override {
    std::string text;
    for (const int32_t id : ids) {
      if (!skip_special_tokens || !is_special(id)) text += (text.empty() ? "t" : " t") + std::to_string(id);
    }
    return text;
  }
  int32_t vocab_size() const override { return 100; }
  std::string_view id_to_token(int32_t id) const override { return id == 1 ? "[CLS]" : id == 2 ? "[SEP]" : "word"; }
  std::optional<int32_t> token_to_id(std::string_view) const override { return std::nullopt; }
  bool is_special(int32_t id) const override { return id == 1 || id == 2; }
  int32_t special_count(bool pair) const override { return pair ? 3 : 2; }
  bool has_type_ids() const override { return false; }
  std::optional<int32_t> leading_special() const override { return 1; }
  std::optional<int32_t> trailing_special() const override { return 2; }
  uint64_t fingerprint() const override { return 77; }

 private:
  struct Word {
    int32_t id;
    tokenizer::Offset offset;
  };
  static std::vector<Word> words_of(std::string_view text) {
    std::vector<Word> words;
    for (size_t i = 0; i < text.size();) {
      if (text[i] == ' ') {
        ++i;
        continue;
      }
      const size_t begin = i;
      unsigned sum = 0;
      while (i < text.size() && text[i] != ' ') sum += static_cast<unsigned char>(text[i++]);
      words.push_back({static_cast<int32_t>(10 + sum % 80), {static_cast<uint32_t>(begin), static_cast<uint32_t>(i)}});
    }
    return words;
  }
  static void cut(std::vector<Word>* words, size_t count, tokenizer::TruncationSide side) {
    if (side == tokenizer::TruncationSide::kLeft)
      words->erase(words->begin(), words->end() - static_cast<ptrdiff_t>(count));
    words->resize(count);
  }
  static void push(int32_t id, tokenizer::Offset offset, uint8_t type, bool special, tokenizer::Encoding* out) {
    out->ids.push_back(id);
    out->type_ids.push_back(type);
    out->offsets.push_back(offset);
    out->special.push_back(special ? 1 : 0);
  }
};

inline tulip::ModelCard embedder_card() {
  tulip::ModelCard card;
  card.name = "fake/embedder";
  card.dimensions = 4;
  card.max_tokens = 16;
  card.vocab_size = 100;
  card.pooling = "mean";
  card.outputs = {tulip::Output::kEmbedding};
  card.token_budget = 32;
  card.dtype = "f32";
  return card;
}

inline tulip::ModelCard reranker_card(int32_t labels = 1) {
  tulip::ModelCard card = embedder_card();
  card.name = "fake/reranker";
  card.dimensions = 0;
  card.labels = labels;
  card.outputs = {tulip::Output::kLogits};
  return card;
}

// Embedding of a sequence: {sum of ids, length, first id, last id}, cut, then normalised. Logit k: sum of ids mod 7 - 3
// + k. Answers on a thread that all of them share, or when released.
class FakeClient : public tulip::Client, public std::enable_shared_from_this<FakeClient> {
 public:
  explicit FakeClient(tulip::ModelCard card) : card_(std::move(card)) {}

  absl::StatusOr<tulip::ModelCard> describe() override { return card_; }
  bool ready() const override {
    std::lock_guard lock(mutex_);
    return ready_;
  }
  void run(tulip::Chunk chunk, tulip::CallOptions options, tulip::Done done) override {
    std::unique_lock lock(mutex_);
    chunks_.push_back(chunk);
    if (held_) {
      waiting_.push_back({std::move(chunk), std::move(options), std::move(done)});
      changed_.notify_all();
      return;
    }
    const absl::Status failure = failure_;
    lock.unlock();
    answering().post([self = shared_from_this(), chunk = std::move(chunk), options, done = std::move(done), failure] {
      failure.ok() ? done(self->answer(chunk, options)) : done(failure);
    });
  }

  void set_ready(bool ready) {
    std::lock_guard lock(mutex_);
    ready_ = ready;
  }
  void fail_with(absl::Status status) {
    std::lock_guard lock(mutex_);
    failure_ = std::move(status);
  }
  void fail_sequence(absl::Status status) {
    std::lock_guard lock(mutex_);
    sequence_failure_ = std::move(status);
  }
  void hold() {
    std::lock_guard lock(mutex_);
    held_ = true;
  }
  void wait_for_held(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() >= count; });
  }
  // Answers what is held, and from now on at once.
  void release() {
    std::vector<Waiting> waiting;
    {
      std::lock_guard lock(mutex_);
      held_ = false;
      waiting.swap(waiting_);
    }
    for (Waiting& call : waiting) call.done(answer(call.chunk, call.options));
  }
  std::stop_token held_token() {
    std::lock_guard lock(mutex_);
    return waiting_.front().options.cancelled;
  }
  std::vector<tulip::Chunk> chunks() const {
    std::lock_guard lock(mutex_);
    return chunks_;
  }

 private:
  // Of no client's own: what a chunk holds may be the last to hold its client, and goes there.
  static Workers& answering() {
    static Workers workers("fake-tulip", 1, 1 << 20);
    return workers;
  }

  struct Waiting {
    tulip::Chunk chunk;
    tulip::CallOptions options;
    tulip::Done done;
  };

  absl::StatusOr<tulip::Reply> answer(const tulip::Chunk& chunk, const tulip::CallOptions& options) const {
    if (options.cancelled.stop_requested()) return absl::CancelledError("cancelled");
    if (tulip::Clock::now() > options.deadline) return absl::DeadlineExceededError("late");
    tulip::Reply reply;
    size_t at = 0, span = 0;
    for (size_t i = 0; i < chunk.lengths.size(); ++i) {
      for (int64_t row = 0; row < tulip::rows_of(chunk, i); ++row, ++span) {
        int32_t from = 0, to = chunk.lengths[i];
        if (tulip::is_per_token(chunk.spec.output)) from = static_cast<int32_t>(row), to = from + 1;
        if (!chunk.spans.empty()) from = chunk.spans[2 * span], to = chunk.spans[2 * span + 1];
        const auto begin = chunk.ids.begin() + static_cast<ptrdiff_t>(at);
        const std::vector<float> values = row_of({begin + from, begin + to}, chunk.spec);
        reply.row_size = static_cast<int32_t>(values.size());
        reply.values.insert(reply.values.end(), values.begin(), values.end());
      }
      at += static_cast<size_t>(chunk.lengths[i]);
    }
    std::lock_guard lock(mutex_);
    if (!sequence_failure_.ok()) reply.failures.push_back({0, sequence_failure_});
    reply.times = {1000, 2000};
    reply.load = {0, 10'000};
    return reply;
  }

  std::vector<float> row_of(const std::vector<int32_t>& ids, const tulip::OutputSpec& spec) const {
    float sum = 0;
    for (const int32_t id : ids) sum += static_cast<float>(id);
    if (spec.output == tulip::Output::kLogits) {
      std::vector<float> logits;
      for (int32_t k = 0; k < card_.labels; ++k) logits.push_back(std::fmod(sum, 7.0f) - 3 + static_cast<float>(k));
      return logits;
    }
    if (spec.output == tulip::Output::kLexical) return {std::fmod(sum, 5.0f) - 1};
    if (spec.output == tulip::Output::kVocabulary) {
      std::vector<float> weights(static_cast<size_t>(card_.vocab_size));
      for (const int32_t id : ids) weights[static_cast<size_t>(id)] += 0.5f;
      return weights;
    }
    std::vector<float> row = {sum, static_cast<float>(ids.size()), static_cast<float>(ids.front()),
                              static_cast<float>(ids.back())};
    if (spec.dimensions > 0) row.resize(static_cast<size_t>(spec.dimensions));
    double norm = 0;
    for (const float x : row) norm += static_cast<double>(x) * x;
    if (spec.normalize) {
      for (float& x : row) x = static_cast<float>(x / std::sqrt(norm));
    }
    return row;
  }

  const tulip::ModelCard card_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool ready_ = true;  // this and the rest under mutex_
  bool held_ = false;
  absl::Status failure_, sequence_failure_;
  std::vector<Waiting> waiting_;
  std::vector<tulip::Chunk> chunks_;
};

// All of them, in order. They must be of one kind.
inline std::shared_ptr<Fleet> fleet_of(const std::vector<std::shared_ptr<tulip::Client>>& clients,
                                       FleetOptions options = {}) {
  auto fleet = std::make_shared<Fleet>(std::move(options));
  for (const auto& client : clients) fleet->join(client).value();
  return fleet;
}

inline std::unique_ptr<Gateway> make_gateway(std::vector<std::shared_ptr<tulip::Client>> clients,
                                             GatewayOptions options = {}) {
  if (options.model_name.empty()) options.model_name = "fake/model";
  return Gateway::create(std::move(options), std::make_shared<FakeTokenizer>(), fleet_of(clients)).value();
}

}  // namespace bouquet::ivy::testing_fakes
