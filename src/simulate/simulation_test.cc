// What holds in every run, whatever fails, over hundreds of seeds; and that a run depends on its options alone.
#include "simulate/simulation.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "simulate/plot.h"
#include "simulate/random.h"
#include "simulate/report.h"

namespace bouquet::simulate {
namespace {

Result run(const Options& options) {
  return simulate(options, [](uint64_t) {});
}

// A small fleet in trouble: each replica crashes up to twice and is slow up to twice, under loads up to twice what it
// can do, with every policy, cut or whole.
Options nasty(uint64_t seed) {
  Random random(seed, 100);
  Options options;
  options.replicas = 1 + random.below(12);
  options.gateways = 1 + random.below(3);
  options.load = 0.2 + 1.8 * random.uniform();
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

void expect_all_answered_once(const Options& options, const Result& result) {
  EXPECT_EQ(result.requests, options.workload.requests);
  EXPECT_EQ(result.unanswered, 0u);
  EXPECT_EQ(result.answered_again, 0u);
  EXPECT_EQ(result.online.size() + result.bulk.size() + result.refused + result.late + result.failed, result.requests);
  EXPECT_EQ(result.wrong, 0u);
  EXPECT_EQ(result.left_busy, 0u);
}

// Twice the limit, or one chunk that found an empty queue.
void expect_bounded_queues(const Options& options, const Result& result) {
  const int64_t limit = tulip::Admission(options.admission).limit(options.cost.tokens_per_second);
  EXPECT_LE(result.most_queued, std::max(2 * limit, result.largest_chunk));
  EXPECT_LE(static_cast<double>(result.sent_again), options.fleet.retry_burst * static_cast<double>(options.gateways) +
                                                        options.fleet.retry_share * static_cast<double>(result.chunks));
}

// Either lane has a quarter of each batch, so no text waits longer than a quarter of the slowest pace takes for all
// that may be queued before it.
void expect_no_starvation(const Options& options, const Result& result) {
  const double pace = 0.25 * options.cost.capacity() / options.faults.slow_factor;
  const double most = static_cast<double>(result.most_queued + 2 * options.cost.bulk_tokens);
  EXPECT_LE(result.longest_queue, most / pace);
}

TEST(Simulation, WhateverFailsNothingIsLostNorDoneTwiceNorStarves) {
  uint64_t good = 0, bad = 0, again = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    const Options options = nasty(seed);
    const Result result = run(options);
    expect_all_answered_once(options, result);
    expect_bounded_queues(options, result);
    expect_no_starvation(options, result);
    good += result.online.size() + result.bulk.size();
    bad += result.refused + result.late + result.failed;
    again += result.sent_again;
  }
  EXPECT_GT(good, 20'000u);  // there is enough of each
  EXPECT_GT(bad, 1000u);
  EXPECT_GT(again, 1000u);
}

TEST(Simulation, BulkIsServedBesideAFloodOfOnlineRequests) {
  Options options{.replicas = 2, .load = 3};
  options.cost.bulk_tokens = 128;
  options.workload = {.requests = 20'000, .most_texts = 16, .shortest = 8, .longest = 16};
  options.faults = {.crashes = 0, .slow_spells = 0, .slow_factor = 1};
  options.admission.max_queued_tokens = 4000;
  const Result result = run(options);
  expect_all_answered_once(options, result);
  expect_bounded_queues(options, result);
  expect_no_starvation(options, result);
  EXPECT_GT(result.refused, 5000u);
  EXPECT_GT(result.bulk.size(), 20u);
  EXPECT_EQ(result.late, 0u);
}

TEST(Simulation, WithoutFaultsAndBelowTheLimitAllIsWell) {
  for (const Policy policy : kPolicies) {
    Options options{.replicas = 8, .load = 0.5, .policy = policy};
    options.workload = {.requests = 3000, .most_texts = 64};
    options.faults = {.crashes = 0, .slow_spells = 0};
    const Result result = run(options);
    expect_all_answered_once(options, result);
    EXPECT_EQ(result.online.size() + result.bulk.size(), 3000u) << name_of(policy);
    EXPECT_EQ(result.sent_again, 0u);
    EXPECT_EQ(result.tokens, result.tokens_computed);
    EXPECT_NEAR(result.busy, 0.5, 0.1);
  }
}

TEST(Simulation, OursBeatsTakingTurnsAndCuttingBeatsWhole) {
  const auto bulk_p99 = [](Policy policy, bool chunked) {
    Options options{.replicas = 20, .policy = policy, .chunked = chunked};
    options.workload.requests = 5000;
    return quantile(run(options).bulk, 0.99);
  };
  const double ours = bulk_p99(Policy::kOurs, true);
  EXPECT_LT(2 * ours, bulk_p99(Policy::kRoundRobin, true));
  EXPECT_LT(2 * ours, bulk_p99(Policy::kOurs, false));
}

TEST(Simulation, TheSameSeedGivesTheSameBytes) {
  Options options{.replicas = 15, .load = 0.9};
  options.workload.requests = 3000;
  const auto text = [](const Options& its) {
    const Result result[] = {run(its)};
    return describe(its) + table_row(result[0]) + plot(result, "title");
  };
  const std::string once = text(options);
  EXPECT_EQ(text(options), once);
  options.seed = 2;
  EXPECT_NE(text(options), once);
}

TEST(Simulation, TellsHowFarItIs) {
  Options options{.replicas = 4};
  options.workload.requests = 5000;
  std::vector<uint64_t> told;
  simulate(options, [&](uint64_t answered) { told.push_back(answered); });
  EXPECT_EQ(told.size(), 4u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
}

}  // namespace
}  // namespace bouquet::simulate
