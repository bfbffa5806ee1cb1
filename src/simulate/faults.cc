// Evenly spread over time and replicas.
#include "simulate/faults.h"

#include <algorithm>
#include <cmath>

#include "simulate/random.h"

namespace bouquet::simulate {

std::vector<Fault> plan_faults(const FaultOptions& options, size_t replicas, double seconds) {
  Random random(options.seed, 3);
  const auto count = [&](double each) { return static_cast<int>(std::ceil(each * static_cast<double>(replicas))); };
  std::vector<Fault> faults;
  const auto add = [&](FaultKind kind) {
    const Clock::duration at = to_duration(seconds * random.uniform());
    faults.push_back({at, kind, random.below(replicas)});
  };
  for (int i = count(options.crashes); i > 0; --i) {
    add(random.uniform() < options.vanish_share ? FaultKind::kVanish : FaultKind::kCrash);
  }
  for (int i = count(options.slow_spells); i > 0; --i) add(FaultKind::kSlow);
  std::stable_sort(faults.begin(), faults.end(), [](const Fault& a, const Fault& b) { return a.at < b.at; });
  return faults;
}

}  // namespace bouquet::simulate
