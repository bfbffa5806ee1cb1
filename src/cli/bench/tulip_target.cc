// Requests as chunks, cut by the replica's token budget as a gateway would.
#include "cli/bench/tulip_target.h"

#include <atomic>
#include <latch>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "fmt/format.h"
#include "ivy/pacing.h"
#include "ivy/split.h"
#include "tulip/rpc/client.h"

namespace bouquet::cli {
namespace {

// Ids from all over the vocabulary, so that no part of the embedding table stays in the caches.
std::vector<int32_t> some_ids(size_t count, int32_t vocab_size) {
  std::vector<int32_t> ids(count);
  uint32_t state = 1;
  for (int32_t& id : ids) {
    state = state * 1664525 + 1013904223;
    id = static_cast<int32_t>((uint64_t{state} * static_cast<uint32_t>(vocab_size)) >> 32);
  }
  return ids;
}

std::vector<tulip::Chunk> chunks_of(const Ask& ask, const tulip::ModelCard& card) {
  const std::vector<int32_t> lengths(ask.inputs, ask.tokens);
  std::vector<tulip::Chunk> chunks;
  for (const ivy::ChunkRange& range : ivy::split_by_tokens(lengths, card.token_budget)) {
    tulip::Chunk& chunk = chunks.emplace_back();
    chunk.ids = some_ids(range.tokens, card.vocab_size);
    chunk.lengths.assign(range.count, ask.tokens);
    chunk.spec.output = ask.kind == Ask::Kind::kScore ? tulip::Output::kLogits : tulip::Output::kEmbedding;
    chunk.spec.normalize = ask.kind != Ask::Kind::kScore;
    chunk.lane = ask.inputs > 1 ? tulip::Lane::kBulk : tulip::Lane::kOnline;
    chunk.continues = chunks.size() > 1;
  }
  return chunks;
}

// How the chunks of one request ended.
class Outcome {
 public:
  explicit Outcome(size_t chunks) : open_(static_cast<ptrdiff_t>(chunks)) {}
  void add(const absl::StatusOr<tulip::Reply>& reply) {
    {
      std::lock_guard lock(mutex_);
      if (!reply.ok()) status_.Update(reply.status());
      if (reply.ok() && !reply->failures.empty()) status_.Update(reply->failures.front().status);
    }
    open_.count_down();
  }
  absl::Status wait() {
    open_.wait();
    std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  std::latch open_;
  std::mutex mutex_;
  absl::Status status_;  // under mutex_
};

// One request under way: sends its chunks at a gateway's pace.
class Sending : public std::enable_shared_from_this<Sending> {
 public:
  Sending(tulip::Client& client, const std::vector<tulip::Chunk>& chunks)
      : client_(client), chunks_(chunks), pacing_(chunks.size(), 1), outcome_(chunks.size()) {}

  absl::Status run() {
    for (size_t i = 0; i < pacing_.at_once(); ++i) send_next();
    return outcome_.wait();
  }

 private:
  void send_next() {
    const std::optional<size_t> next = pacing_.next(false);
    if (!next) return;
    client_.run(chunks_[*next], {}, [self = shared_from_this()](const absl::StatusOr<tulip::Reply>& reply) {
      self->send_next();
      self->outcome_.add(reply);
    });
  }

  tulip::Client& client_;
  const std::vector<tulip::Chunk>& chunks_;
  ivy::Pacing pacing_;
  Outcome outcome_;
};

class ChunkSession : public Session {
 public:
  ChunkSession(std::shared_ptr<tulip::Client> client, std::shared_ptr<const std::vector<tulip::Chunk>> chunks)
      : client_(std::move(client)), chunks_(std::move(chunks)) {}
  absl::Status send() override { return std::make_shared<Sending>(*client_, *chunks_)->run(); }

 private:
  const std::shared_ptr<tulip::Client> client_;
  const std::shared_ptr<const std::vector<tulip::Chunk>> chunks_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<TulipTarget>> TulipTarget::find(const std::string& address) {
  std::unique_ptr<TulipTarget> target(new TulipTarget(address));
  ASSIGN_OR_RETURN(const auto client, tulip::make_rpc_client(address, {}));
  absl::StatusOr<tulip::ModelCard> card = client->describe();
  if (!card.ok()) {
    return absl::UnavailableError(
        fmt::format("{}: is a `bouquet tulip` running there? Another is named with --url ({})", address,
                    std::string(card.status().message())));
  }
  target->card_ = *std::move(card);
  return target;
}

Connect TulipTarget::prepare(const Ask& ask) const {
  const auto chunks = std::make_shared<const std::vector<tulip::Chunk>>(chunks_of(ask, card_));
  return [this, chunks] { return std::make_unique<ChunkSession>(*tulip::make_rpc_client(address_, {}), chunks); };
}

}  // namespace bouquet::cli
