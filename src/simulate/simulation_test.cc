// What holds in every run, whatever fails, over hundreds of seeds; and that a run depends on its options alone.
#include "simulate/simulation.h"

#include <cmath>

#include "gtest/gtest.h"
#include "simulate/random.h"

namespace bouquet::simulate {
namespace {

Result run(const Options& options) {
  return simulate(options, [](uint64_t) {});
}

// A small fleet in trouble: each replica crashes once or twice and is slow as often, under loads up to twice what it
// can do.
Options nasty(uint64_t seed) {
  Random random(seed, 100);
  Options options{
      .replicas = 1 + random.below(12), .gateways = 1 + random.below(3), .load = 0.2 + 1.8 * random.uniform()};
  options.policy = kPolicies[random.below(std::size(kPolicies))];
  options.chunked = random.uniform() < 0.7;
  options.seed = seed;
  options.timeout_seconds = random.uniform() < 0.3 ? 1 : 60;
  options.workload.requests = 100 + random.below(200);
  options.workload.most_texts = random.uniform() < 0.5 ? 64 : 2048;
  options.faults.crashes = 2 * random.uniform();
  options.faults.down_seconds = 3 * random.uniform();
  options.faults.slow_spells = 2 * random.uniform();
  options.faults.slow_factor = 1 + 20 * random.uniform();
  options.admission.max_queued_tokens = random.uniform() < 0.5 ? 4000 : 0;
  return options;
}

TEST(Simulation, NothingIsLostNorDoneTwiceWhateverFails) {
  uint64_t good = 0, bad = 0, again = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    const Options options = nasty(seed);
    const Result result = run(options);
    const uint64_t ok = result.online.size() + result.bulk.size();
    EXPECT_EQ(result.requests, options.workload.requests);
    EXPECT_EQ(result.unanswered, 0u);
    EXPECT_EQ(result.answered_again, 0u);
    EXPECT_EQ(ok + result.refused + result.late + result.failed, result.requests);
    EXPECT_EQ(result.wrong, 0u);
    EXPECT_EQ(result.left_busy, 0u);
    EXPECT_LE(result.most_beyond_limit, 0);
    EXPECT_LE(static_cast<double>(result.sent_again),
              100.0 * static_cast<double>(options.gateways) + 0.2 * static_cast<double>(result.chunks));  // the budget
    good += ok, bad += result.requests - ok, again += result.sent_again;
  }
  EXPECT_GT(good, 20'000u);  // the runs have enough of each
  EXPECT_GT(bad, 1000u);
  EXPECT_GT(again, 1000u);
}

}  // namespace
}  // namespace bouquet::simulate
