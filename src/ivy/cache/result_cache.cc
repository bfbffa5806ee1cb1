// An errand is pending while some of its rows are missing; whoever brings the last one answers it.
#include "ivy/cache/result_cache.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ivy/meters.h"

namespace bouquet::ivy {
namespace {

// The key of each of a chunk's sequences.
std::vector<RowKey> keys_of(const tulip::Chunk& chunk) {
  std::vector<RowKey> keys;
  ptrdiff_t first = 0;
  for (const int32_t length : chunk.lengths) {
    const auto slice = [&](const auto& all) {
      return std::decay_t<decltype(all)>(all.begin() + first, all.begin() + first + length);
    };
    RowKey& key = keys.emplace_back();
    key.weights_fingerprint = chunk.weights_fingerprint;
    key.ids = slice(chunk.ids);
    if (!chunk.token_types.empty()) key.token_types = slice(chunk.token_types);
    key.spec = chunk.spec;
    first += length;
  }
  return keys;
}

// A chunk of these sequences alone; `head` has all but the sequences.
tulip::Chunk chunk_of(const tulip::Chunk& head, const std::vector<RowKey>& keys, const std::vector<size_t>& sequences) {
  tulip::Chunk chunk = head;
  for (const size_t i : sequences) {
    chunk.ids.insert(chunk.ids.end(), keys[i].ids.begin(), keys[i].ids.end());
    chunk.token_types.insert(chunk.token_types.end(), keys[i].token_types.begin(), keys[i].token_types.end());
    chunk.lengths.push_back(static_cast<int32_t>(keys[i].ids.size()));
  }
  return chunk;
}

// Of each of a run's sequences, where the run itself is good.
std::vector<absl::Status> statuses_of(const tulip::Reply& reply, size_t sequences) {
  std::vector<absl::Status> statuses(sequences);
  for (const tulip::SequenceFailure& failure : reply.failures) statuses[failure.index] = failure.status;
  return statuses;
}

size_t tokens_of(const std::vector<RowKey>& keys, const std::vector<size_t>& sequences) {
  size_t tokens = 0;
  for (const size_t i : sequences) tokens += keys[i].ids.size();
  return tokens;
}

}  // namespace

struct ResultCache::Pending {
  explicit Pending(Errand its_errand) : errand(std::move(its_errand)), head(errand.chunk()), keys(keys_of(head)) {
    head.ids.clear();
    head.lengths.clear();
    head.token_types.clear();
    open = keys.size();
  }

  // What is answered already takes nothing more: it may have failed while other rows were on their way.
  void put(size_t sequence, std::span<const float> row) {
    if (answered) return;
    reply.row_size = static_cast<int32_t>(row.size());
    reply.values.resize(keys.size() * row.size());
    std::copy(row.begin(), row.end(), reply.values.begin() + static_cast<ptrdiff_t>(sequence * row.size()));
    --open;
  }
  void fail(size_t sequence, const absl::Status& failure) {
    if (answered) return;
    reply.failures.push_back({static_cast<int32_t>(sequence), failure});
    --open;
  }
  // All but the rows of one of its runs.
  void note(const absl::StatusOr<tulip::Reply>& run) {
    status.Update(run.status());
    if (!run.ok()) return;
    reply.times.queue_us = std::max(reply.times.queue_us, run->times.queue_us);
    reply.times.compute_us = std::max(reply.times.compute_us, run->times.compute_us);
    reply.load = run->load;
  }
  // True once: when the errand has become complete, or has failed as a whole, and must be answered.
  bool take_answer() {
    if (open > 0 && status.ok()) return false;
    return !std::exchange(answered, true);
  }
  void answer() {
    if (!status.ok()) return errand.done(status);
    reply.values.resize(keys.size() * static_cast<size_t>(reply.row_size));
    errand.done(std::move(reply));
  }

  Errand errand;
  tulip::Chunk head;  // all but the sequences
  std::vector<RowKey> keys;
  size_t open = 0;  // sequences without a row or a failure
  tulip::Reply reply;
  absl::Status status;  // of the errand as a whole
  bool answered = false;
};

ResultCache::~ResultCache() { meters().cache_bytes.Decrement(static_cast<double>(rows_.bytes())); }

void ResultCache::run(Errand errand) {
  const auto pending = std::make_shared<Pending>(std::move(errand));
  const tulip::Clock::time_point now = tulip::Clock::now();
  Sequences missing;
  bool answer = false;
  {
    std::lock_guard lock(mutex_);
    for (size_t i = 0; i < pending->keys.size(); ++i) {
      if (const std::vector<float>* row = rows_.find(pending->keys[i])) {
        pending->put(i, *row);
      } else if (!joins(pending, i, now)) {
        missing.push_back(i);
      }
    }
    answer = pending->take_answer();
  }
  meters().cache_misses.Increment(static_cast<double>(missing.size()));
  meters().cache_hits.Increment(static_cast<double>(pending->keys.size() - missing.size()));
  if (answer) pending->answer();
  if (!missing.empty()) send(pending, std::move(missing));
}

// Waits for the row where somebody has it under way; else others may wait for ours. Under mutex_.
bool ResultCache::joins(const std::shared_ptr<Pending>& pending, size_t sequence, tulip::Clock::time_point now) {
  const Errand& errand = pending->errand;
  const auto [place, is_first] = under_way_.try_emplace(
      pending->keys[sequence], UnderWay{pending.get(), now, errand.options.deadline, errand.lane, {}});
  if (is_first) return false;
  UnderWay& other = place->second;
  if (now - other.since > options_.patience) {  // whoever waits for that waits for this one as well now
    other.runner = pending.get();
    other.since = now;
    return false;
  }
  const bool later = other.deadline > errand.options.deadline;
  const bool slower = other.lane == tulip::Lane::kBulk && errand.lane == tulip::Lane::kOnline;
  if (later || slower) return false;
  other.waiters.push_back({pending, sequence});
  return true;
}

void ResultCache::send(const std::shared_ptr<Pending>& pending, Sequences sequences) {
  const Errand& errand = pending->errand;
  run_({.chunk = [pending, sequences] { return chunk_of(pending->head, pending->keys, sequences); },
        .tokens = tokens_of(pending->keys, sequences),
        .lane = errand.lane,
        .options = errand.options,
        .done = [this, pending,
                 sequences](absl::StatusOr<tulip::Reply> reply) { arrived(pending, sequences, std::move(reply)); }});
}

// Takes those who wait for the row. That a run failed is for them only where they wait for this very one. Under mutex_.
std::vector<ResultCache::Waiter> ResultCache::take_waiters(const Pending& pending, size_t sequence, bool has_run) {
  const auto found = under_way_.find(pending.keys[sequence]);
  if (found == under_way_.end() || (!has_run && found->second.runner != &pending)) return {};
  std::vector<Waiter> waiters = std::move(found->second.waiters);
  under_way_.erase(found);
  return waiters;
}

void ResultCache::arrived(const std::shared_ptr<Pending>& pending, const Sequences& sequences,
                          absl::StatusOr<tulip::Reply> reply) {
  if (reply.ok() && reply->values.size() != sequences.size() * static_cast<size_t>(reply->row_size)) {
    reply = absl::InternalError("a replica's reply has not the shape of its chunk");
  }
  std::vector<std::shared_ptr<Pending>> touched = {pending};
  std::map<std::shared_ptr<Pending>, Sequences> again;
  {
    std::lock_guard lock(mutex_);
    pending->note(reply);
    if (reply.ok()) {
      touched = share_out(pending, sequences, *reply);
    } else {
      for (const size_t i : sequences) {
        for (const Waiter& waiter : take_waiters(*pending, i, false)) {
          if (!waiter.pending->answered) again[waiter.pending].push_back(waiter.sequence);
        }
      }
    }
    std::erase_if(touched, [](const auto& one) { return !one->take_answer(); });
  }
  for (const auto& one : touched) one->answer();
  for (auto& [waiter, missing] : again) {
    if (waiter != pending) send(waiter, std::move(missing));
  }
}

// Gives the rows of a run, or the failure of one, to all who want them: these errands. Under mutex_.
std::vector<std::shared_ptr<ResultCache::Pending>> ResultCache::share_out(const std::shared_ptr<Pending>& pending,
                                                                          const Sequences& sequences,
                                                                          const tulip::Reply& reply) {
  const auto width = static_cast<size_t>(reply.row_size);
  const auto bytes = static_cast<double>(rows_.bytes());
  const std::vector<absl::Status> statuses = statuses_of(reply, sequences.size());
  std::vector<std::shared_ptr<Pending>> touched;
  for (size_t j = 0; j < sequences.size(); ++j) {
    const std::span row(reply.values.data() + j * width, width);
    if (statuses[j].ok()) {
      meters().cache_evicted.Increment(static_cast<double>(rows_.keep(pending->keys[sequences[j]], row)));
    }
    std::vector<Waiter> waiters = take_waiters(*pending, sequences[j], true);
    waiters.push_back({pending, sequences[j]});
    for (const Waiter& waiter : waiters) {
      statuses[j].ok() ? waiter.pending->put(waiter.sequence, row) : waiter.pending->fail(waiter.sequence, statuses[j]);
      touched.push_back(waiter.pending);
    }
  }
  meters().cache_bytes.Increment(static_cast<double>(rows_.bytes()) - bytes);
  return touched;
}

}  // namespace bouquet::ivy
