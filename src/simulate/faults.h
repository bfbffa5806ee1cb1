// What goes wrong in a run, drawn before it begins: processes that crash, machines that vanish, replicas that are slow
// for a while.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulate/cost.h"

namespace bouquet::simulate {

struct FaultOptions {
  double crashes = 0.1;       // a replica, on average, over the run
  double vanish_share = 0.5;  // of them: the machine is gone too, and nothing resets its connections
  double notice_seconds = 2;  // until a vanished one's calls fail; those of a crashed process do at once
  double down_seconds = 5;    // until it is back, with nothing of what it had
  double slow_spells = 0.1;   // a replica, on average, over the run
  double slow_factor = 4;     // times as long for every batch
  double slow_seconds = 10;
  uint64_t seed = 1;
};

enum class FaultKind { kCrash, kVanish, kSlow };

struct Fault {
  Clock::duration at{0};  // after the run's begin
  FaultKind kind = FaultKind::kCrash;
  size_t replica = 0;
};

// In the order of time, over the first `seconds` of a run. The numbers of crashes and of slow spells are rounded up.
std::vector<Fault> plan_faults(const FaultOptions& options, size_t replicas, double seconds);

}  // namespace bouquet::simulate
