// Picks a replica for each chunk: the one with the least expected wait, from the load that replies report and from what
// was sent there since. A plain state machine: no thread, clock or socket inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tulip/client.h"

namespace bouquet::ivy {

class Balancer {
 public:
  explicit Balancer(size_t replicas) : replicas_(replicas) {}

  // The replica where a chunk of so many tokens would be done first, among those with usable[i]; ties go round robin.
  // The chunk counts as sent there until finished() is called. Nothing when none is usable.
  std::optional<size_t> pick(uint64_t tokens, const std::vector<bool>& usable);

  // A chunk is over. `load` is what the reply reported; nothing when the call failed.
  void finished(size_t replica, uint64_t tokens, std::optional<tulip::Load> load);

  // Seconds until a chunk of so many tokens sent now would be done; from tokens alone while no rate is known.
  double expected_wait(size_t replica, uint64_t tokens) const;

 private:
  struct Replica {
    uint64_t outstanding = 0;        // tokens sent by us and not finished
    uint64_t others = 0;             // tokens queued there by others, when it last reported
    uint64_t tokens_per_second = 0;  // 0: not known
  };
  double rate(const Replica& replica) const;

  std::vector<Replica> replicas_;
  size_t next_ = 0;  // where the next round of equals begins
};

}  // namespace bouquet::ivy
