// A fleet under load, from the first request to the last answer, on a virtual clock: gateways, replicas, faults. The
// same options give the same result, always.
//
//   Result result = simulate({.replicas = 1000, .workload = {.requests = 1'000'000}}, [](uint64_t answered) {});
#pragma once

#include <cstdint>
#include <functional>

#include "ivy/fleet/fleet.h"
#include "simulate/cost.h"
#include "simulate/faults.h"
#include "simulate/policies.h"
#include "simulate/result.h"
#include "simulate/workload.h"
#include "tulip/admission.h"

namespace bouquet::simulate {

struct Options {
  size_t replicas = 100;
  size_t gateways = 4;  // each knows only what it sent itself and what replies report; requests take turns
  double load = 0.7;    // of what all replicas can do: tokens that arrive over Cost::capacity()
  Policy policy = Policy::kOurs;
  bool chunked = true;
  double timeout_seconds = 60;  // of a request
  uint64_t seed = 1;            // of everything that is random
  Cost cost;
  WorkloadOptions workload;
  FaultOptions faults;
  tulip::AdmissionOptions admission;
  ivy::FleetOptions fleet;  // but for its clock and seed
};

// `answered` hears now and then how many requests are.
Result simulate(Options options, const std::function<void(uint64_t)>& answered);

}  // namespace bouquet::simulate
