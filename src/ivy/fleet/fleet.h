// The replicas of one model, as one: runs each chunk on the replica that is done with it first, and on another where
// that one fails, is full or, if wanted, takes long. Embedding is idempotent, so trying again changes nothing.
//
//   auto fleet = std::make_shared<Fleet>(FleetOptions{});
//   RETURN_IF_ERROR(fleet->join(client).status());
//   fleet->run({.chunk = make, .tokens = 12, .options = {deadline, token}, .done = ...});
//
// All functions may be called from any thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "ivy/fleet/balance.h"
#include "ivy/fleet/budget.h"
#include "ivy/fleet/quantile.h"
#include "tulip/client.h"

namespace bouquet::ivy {

struct FleetOptions {
  BalancerOptions balance;
  uint64_t tokenizer_fingerprint = 0;  // of the text-to-id mapping that chunks come from
  double retry_share = 0.2;            // chunks sent again, of all
  double retry_burst = 100;            // ... and at once
  double hedge_share = 0;              // online chunks sent to a second replica when they take long, of all; 0: none
  std::function<Clock::time_point()> now = Clock::now;  // hedges are timed by the real one in any case
};

// A chunk to be run.
struct Errand {
  std::function<tulip::Chunk()> chunk;  // makes it, once for each replica that is asked
  uint64_t tokens = 0;                  // of the chunk
  tulip::Lane lane = tulip::Lane::kOnline;
  tulip::CallOptions options;
  tulip::Done done;  // called once; its errors are those of tulip::Client
};

class Fleet {
 public:
  using Place = Balancer::Place;

  explicit Fleet(FleetOptions options);
  Fleet(FleetOptions options, std::unique_ptr<Balancer> balancer);  // with another policy of picking
  ~Fleet();                                                         // waits for what is under way

  // FAILED_PRECONDITION, saying in what, when the replica differs from those that are there or was made for another
  // tokenizer; else its own error when it can't be asked. Blocks while it is asked.
  absl::StatusOr<Place> join(std::shared_ptr<tulip::Client> client);
  // Nothing new is sent there; what is under way ends as usual.
  void leave(Place place);

  // What all replicas are; nothing before the first has joined. It stays when all have left.
  std::optional<tulip::ModelCard> card() const;
  // Somebody would serve a chunk sent now.
  bool ready() const;
  size_t size() const;

  void run(Errand errand);

 private:
  struct Flight;
  struct Due {
    Clock::time_point at;
    std::weak_ptr<Flight> flight;
    bool operator<(const Due& other) const { return at > other.at; }  // the earliest on top
  };
  absl::Status check(const tulip::ModelCard& card) const;
  bool may_go(const Flight& flight, Place place) const;
  bool has_another(const Flight& flight) const;
  bool attempt(const std::shared_ptr<Flight>& flight, Budget* budget);
  void ended(const std::shared_ptr<Flight>& flight, Place place, Clock::time_point sent,
             absl::StatusOr<tulip::Reply> reply);
  void note(const Flight& flight, Place place, Clock::time_point sent, const absl::StatusOr<tulip::Reply>& reply);
  void hedge_later(const std::shared_ptr<Flight>& flight);
  void watch_for_slow_ones();
  void hedge(std::shared_ptr<Flight> flight);

  const FleetOptions options_;
  mutable std::mutex mutex_;  // guards all that follows
  std::condition_variable changed_;
  const std::unique_ptr<Balancer> balancer_;
  Budget retries_, hedges_;
  RecentP95 online_seconds_;
  std::optional<tulip::ModelCard> card_;
  std::vector<std::shared_ptr<tulip::Client>> replicas_;  // by place; null where none is
  size_t members_ = 0;                                    // of those that are not null
  size_t under_way_ = 0;                                  // attempts
  std::priority_queue<Due> slow_ones_;                    // online chunks, by when they count as slow
  bool stopping_ = false;
  std::thread hedging_;  // only where hedge_share > 0
};

}  // namespace bouquet::ivy
