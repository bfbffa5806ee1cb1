// Runs errands like a fleet, but asks for each row once: sequences whose row is kept are answered from memory, those
// that another errand has under way wait for it, and only the others are run. Rows depend on their own sequence alone,
// so what comes out is the same to the bit.
//
//   ResultCache cache({.most_bytes = 256 << 20}, [fleet](Errand errand) { fleet->run(std::move(errand)); });
//   cache.run(std::move(errand));
//
// An errand joins another only where that should not make it later: the other's deadline is no later than its own, it
// is not bulk work that an online caller would wait for, and it was not sent so long ago that its replica may be stuck.
// Where the other's run fails, it runs what it waited for itself; that one sequence failed is told to all who asked for
// it.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "ivy/cache/row_cache.h"
#include "ivy/fleet/fleet.h"

namespace bouquet::ivy {

struct ResultCacheOptions {
  size_t most_bytes = 0;
  tulip::Clock::duration patience = std::chrono::seconds(1);  // with another's run, from when it was sent
};

class ResultCache {
 public:
  using Run = std::function<void(Errand)>;
  ResultCache(ResultCacheOptions options, Run run)
      : options_(options), run_(std::move(run)), rows_(options.most_bytes) {}

  ~ResultCache();  // all errands must have ended

  // Any thread.
  void run(Errand errand);

 private:
  struct Pending;
  struct Waiter {
    std::shared_ptr<Pending> pending;
    size_t sequence;
  };
  // A row that somebody's run will give.
  struct UnderWay {
    const Pending* runner;
    tulip::Clock::time_point since;
    tulip::Clock::time_point deadline;
    tulip::Lane lane;
    std::vector<Waiter> waiters;
  };
  using Sequences = std::vector<size_t>;  // of a chunk

  bool joins(const std::shared_ptr<Pending>& pending, size_t sequence, tulip::Clock::time_point now);
  void send(const std::shared_ptr<Pending>& pending, Sequences sequences);
  void arrived(const std::shared_ptr<Pending>& pending, const Sequences& sequences, absl::StatusOr<tulip::Reply> reply);
  std::vector<std::shared_ptr<Pending>> share_out(const std::shared_ptr<Pending>& pending, const Sequences& sequences,
                                                  const tulip::Reply& reply);
  std::vector<Waiter> take_waiters(const Pending& pending, size_t sequence, bool has_run);

  const ResultCacheOptions options_;
  const Run run_;
  std::mutex mutex_;  // guards what follows, and every Pending
  RowCache rows_;
  absl::flat_hash_map<RowKey, UnderWay> under_way_;
};

}  // namespace bouquet::ivy
