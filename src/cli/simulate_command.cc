// `bouquet simulate`: fleets that nobody has to own, on a virtual clock.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/command.h"
#include "cli/numbers.h"
#include "cli/progress.h"
#include "fmt/format.h"
#include "simulate/plot.h"
#include "simulate/report.h"
#include "simulate/simulation.h"

namespace bouquet::cli {
namespace {

struct SimulateFlags {
  simulate::Options options;
  std::vector<std::string> policies;
  std::string cut = "both";
  std::string svg;
  bool progress = true;
};

absl::Status check(const SimulateFlags& f) {
  const simulate::WorkloadOptions& workload = f.options.workload;
  if (workload.shortest > workload.longest) {
    return absl::InvalidArgumentError(
        fmt::format("--shortest {} is more than --longest {}", workload.shortest, workload.longest));
  }
  if (f.options.cost.bulk_tokens < f.options.cost.batch_tokens) {
    return absl::InvalidArgumentError(fmt::format("--bulk-tokens {} is less than --batch-tokens {}",
                                                  f.options.cost.bulk_tokens, f.options.cost.batch_tokens));
  }
  return absl::OkStatus();
}

std::vector<simulate::Options> runs_of(const SimulateFlags& f) {
  std::vector<simulate::Options> runs;
  for (const bool chunked : {false, true}) {
    if (f.cut == (chunked ? "whole" : "chunked")) continue;
    for (const simulate::Policy policy : simulate::kPolicies) {
      const auto wanted = std::find(f.policies.begin(), f.policies.end(), simulate::name_of(policy));
      if (!f.policies.empty() && wanted == f.policies.end()) continue;
      runs.push_back(f.options);
      runs.back().policy = policy;
      runs.back().chunked = chunked;
    }
  }
  return runs;
}

absl::Status simulate_fleet(const SimulateFlags& f) {
  RETURN_IF_ERROR(check(f));
  std::ofstream svg(f.svg);  // before the work is done
  if (!f.svg.empty() && !svg) return absl::FailedPreconditionError(fmt::format("cannot write --svg {}", f.svg));
  std::cout << simulate::describe(f.options) << "\n" << simulate::table_head() << std::flush;
  const std::vector<simulate::Options> runs = runs_of(f);
  const uint64_t each = f.options.workload.requests;
  std::vector<simulate::Result> results;
  Progress progress("simulating", "requests", f.progress);
  for (const simulate::Options& run : runs) {
    results.push_back(simulate::simulate(run, [&](uint64_t answered) {
      const uint64_t done = results.size() * each + answered;
      progress.update(done, runs.size() * each, static_cast<double>(done));
    }));
    progress.clear();
    std::cout << simulate::table_row(results.back()) << std::flush;
  }
  progress.finish();
  std::cout << "\n" << simulate::closing(f.options, results);
  if (f.svg.empty()) return absl::OkStatus();
  svg << simulate::plot(results, fmt::format("{} replicas, {} requests at {:.0f} % of capacity, seed {}",
                                             f.options.replicas, each, 100 * f.options.load, f.options.seed));
  svg.close();
  if (!svg) return absl::FailedPreconditionError(fmt::format("cannot write --svg {}", f.svg));
  return absl::OkStatus();
}

void add_fleet_flags(CLI::App& c, SimulateFlags& f) {
  constexpr char kGroup[] = "Fleet and load";
  simulate::Options& o = f.options;
  c.add_option("--replicas", o.replicas, "Replicas")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--gateways", o.gateways, "Gateways; each knows only what it sent itself and what replies report")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--requests", o.workload.requests, "Requests")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--load", o.load, "Tokens that come, as a share of what all replicas can do")
      ->check(CLI::Range(0.001, 100.0))
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--max-texts", o.workload.most_texts, "Most texts a request; half have one, one in n has n or more")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--shortest", o.workload.shortest, "Tokens of the shortest text")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--longest", o.workload.longest, "... of the longest; they spread evenly over the logarithm")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--request-timeout", o.timeout_seconds, "Seconds a request may take")
      ->check(above_zero())
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--seed", o.seed, "Of everything random; the same seed gives the same output")
      ->capture_default_str()
      ->group(kGroup);
}

void add_comparison_flags(CLI::App& c, SimulateFlags& f) {
  constexpr char kGroup[] = "What is compared";
  c.add_option("--policy", f.policies, "round-robin, random, least-loaded, ours; may be repeated (default: all)")
      ->check(CLI::IsMember({"round-robin", "random", "least-loaded", "ours"}))
      ->allow_extra_args(false)
      ->group(kGroup);
  c.add_option("--cut", f.cut, "chunked: requests are cut into chunks; whole: each goes to one replica; both")
      ->check(CLI::IsMember({"chunked", "whole", "both"}))
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--svg", f.svg, "Also draw the latencies into this file")->group(kGroup);
  c.add_flag("--progress,!--no-progress", f.progress, "Show progress on standard error (default)")->group(kGroup);
}

void add_fault_flags(CLI::App& c, SimulateFlags& f) {
  constexpr char kGroup[] = "What goes wrong";
  simulate::FaultOptions& faults = f.options.faults;
  const auto add = [&](const char* name, double& value, const char* text) {
    c.add_option(name, value, text)->check(zero_or_more())->capture_default_str()->group(kGroup);
  };
  add("--crashes", faults.crashes, "Crashes over the run, for each replica");
  add("--down-time", faults.down_seconds, "Seconds until a crashed replica is back");
  c.add_option("--vanish-share", faults.vanish_share, "Crashes that take the machine along, of all")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->group(kGroup);
  add("--notice-time", faults.notice_seconds, "Seconds until such a machine's calls fail");
  add("--slow", faults.slow_spells, "Slow spells over the run, for each replica");
  c.add_option("--slow-factor", faults.slow_factor, "Times as long that batches take in one")
      ->check(above_zero())
      ->capture_default_str()
      ->group(kGroup);
  add("--slow-time", faults.slow_seconds, "Seconds that one lasts");
}

void add_cost_flags(CLI::App& c, SimulateFlags& f) {
  constexpr char kGroup[] = "What a replica can do (default: all-MiniLM-L6-v2 on two processors, docs/benchmarks.md)";
  simulate::Cost& cost = f.options.cost;
  c.add_option("--tokens-per-second", cost.tokens_per_second, "Tokens a second, beside what each batch takes")
      ->check(above_zero())
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--batch-ms", cost.batch_ms, "Milliseconds each batch takes, whatever it holds")
      ->check(zero_or_more())
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--hop-ms", cost.hop_ms, "Milliseconds from gateway to replica and back")
      ->check(zero_or_more())
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--batch-tokens", cost.batch_tokens, "Tokens a batch while anybody is online")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--bulk-tokens", cost.bulk_tokens, "Tokens a batch of bulk alone, and a chunk")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str()
      ->group(kGroup);
  c.add_option("--max-queue-seconds", f.options.admission.max_queue_seconds, "Seconds of work that may wait before 429")
      ->check(above_zero())
      ->capture_default_str()
      ->group(kGroup);
}

}  // namespace

Action add_simulate(CLI::App& app) {
  CLI::App* c =
      app.add_subcommand("simulate", "A fleet under load on a virtual clock: how it would do, before it is bought");
  auto flags = std::make_shared<SimulateFlags>();
  add_fleet_flags(*c, *flags);
  add_comparison_flags(*c, *flags);
  add_fault_flags(*c, *flags);
  add_cost_flags(*c, *flags);
  c->footer(
      "Splitting, pacing, balancing, retrying, admission and scheduling are the server's own code; only the engine and "
      "the\n"
      "network are made up. Requests above --bulk-tokens are bulk, the others online. A row's columns: latencies of "
      "good\n"
      "answers; busy: of all replicas' time; queue: the longest that a text waited at a replica; refused: answered "
      "429;\n"
      "late: past --request-timeout; failed: 5xx; again: chunks sent to another replica, of all chunks.\n\n"
      "  bouquet simulate --svg fleet.svg                          100 replicas, 50,000 requests, four policies\n"
      "  bouquet simulate --replicas 1000 --requests 1000000       three minutes\n"
      "  bouquet simulate --policy ours --load 0.9 --crashes 1     ours alone, close to the limit and in trouble\n"
      "  bouquet simulate --tokens-per-second 500000 --batch-ms 1 --batch-tokens 8192 --bulk-tokens 16384   a GPU "
      "each");
  return [flags] { return simulate_fleet(*flags); };
}

}  // namespace bouquet::cli
