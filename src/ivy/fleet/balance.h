// Picks a replica for each chunk: the one with the least expected wait, from the load that replies report and from what
// was sent there since. Replicas that err are left out for a while, then tried with one chunk; those that are full or
// stopped answering are taken only when there is no other; newcomers get their share by degrees.
//
// A plain state machine: no thread, clock or socket inside. Among many replicas it looks at a few drawn at random, so
// that many gateways do not all run to the same one. Two are the classic choice (Mitzenmacher 2001); but where a sixth
// of the replicas is slow, both are slow in one draw of 36, and all of four in one of 1,300.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "absl/functional/function_ref.h"
#include "tulip/client.h"

namespace bouquet::ivy {

using tulip::Clock;

struct BalancerOptions {
  size_t look_at_all = 8;                                        // with more replicas than that, some are drawn
  int draw = 4;                                                  // ... so many
  Clock::duration slow_start = std::chrono::seconds(10);         // a newcomer's rate grows to its full in that time
  int most_failures = 3;                                         // one after the other; then it is left out
  Clock::duration first_pause = std::chrono::milliseconds(500);  // of being left out; doubled each time
  Clock::duration longest_pause = std::chrono::seconds(30);
  Clock::duration longest_full = std::chrono::seconds(1);  // one that refused is asked again after that at the latest
  Clock::duration patience = std::chrono::seconds(1);      // without any answer; more where more is expected
  Clock::duration memory = std::chrono::seconds(5);        // for how long a reported rate is believed
  uint64_t seed = 1;
};

class Balancer {
 public:
  explicit Balancer(BalancerOptions options = {}) : options_(options), random_(options.seed) {}
  virtual ~Balancer() = default;

  // A replica's place. It stays taken until the replica is removed and nothing sent there is under way.
  using Place = size_t;
  Place add(Clock::time_point now);
  void remove(Place place);

  // The replica where a chunk of so many tokens would be done first, among those that may_go() agrees to; ties go round
  // robin. The chunk counts as sent there until finished() is called. Nothing when there is none.
  std::optional<Place> pick(uint64_t tokens, Clock::time_point now, absl::FunctionRef<bool(Place)> may_go);

  enum class Outcome { kAnswered, kRefused, kFailed, kCancelled };
  struct End {
    Outcome outcome = Outcome::kAnswered;
    std::optional<tulip::Load> load;  // what the reply reported; nothing without one
    Clock::duration retry_after{0};   // of one that refused: when it wants to be asked again
  };
  // A chunk is over.
  void finished(Place place, uint64_t tokens, const End& end, Clock::time_point now);

  // Seconds until a chunk of so many tokens sent now would be done; from tokens alone while no rate is known.
  double expected_wait(Place place, uint64_t tokens, Clock::time_point now) const;
  // Left out for its failures, for being full, or for having stopped to answer.
  bool is_left_out(Place place, Clock::time_point now) const;

 protected:
  // One of those that may_go() agrees to; nothing when there is none. Other policies are compared by replacing this
  // (src/simulate/policies.h).
  virtual std::optional<Place> choose(uint64_t tokens, Clock::time_point now, absl::FunctionRef<bool(Place)> may_go);
  size_t places() const { return replicas_.size(); }
  uint64_t chunks_at(Place place) const { return replicas_[place].chunks; }

 private:
  struct Replica {
    bool here = false;               // not removed
    uint64_t chunks = 0;             // sent by us and not finished
    uint64_t outstanding = 0;        // their tokens
    uint64_t others = 0;             // tokens queued there by others, when it last reported
    uint64_t tokens_per_second = 0;  // 0: not known
    Clock::time_point reported;      // when it last did
    Clock::time_point joined;
    Clock::time_point heard;  // the last end of a chunk, or the first chunk sent since all had ended
    int failures = 0;         // since the last answer
    Clock::time_point out_until = Clock::time_point::min();
    Clock::duration pause{0};  // the last one's length
  };
  double rate(const Replica& replica, Clock::time_point now) const;
  double known_rate(const Replica& replica, Clock::time_point now) const;
  double ahead(const Replica& replica, Clock::time_point now) const;
  bool is_silent(Place place, Clock::time_point now) const;
  bool on_trial(const Replica& replica) const;
  void set_rate(Replica& replica, uint64_t tokens_per_second);
  void send(Place place, uint64_t tokens, Clock::time_point now);
  std::optional<Place> least_wait(uint64_t tokens, Clock::time_point now, absl::FunctionRef<bool(Place)> may_go);
  std::optional<Place> best_of_drawn(uint64_t tokens, Clock::time_point now, absl::FunctionRef<bool(Place)> may_go);

  const BalancerOptions options_;
  std::minstd_rand random_;
  std::vector<Replica> replicas_;
  size_t next_ = 0;        // where the next round of equals begins
  uint64_t known_ = 0;     // replicas that are here and have said how fast they are
  uint64_t rate_sum_ = 0;  // of those
};

}  // namespace bouquet::ivy
