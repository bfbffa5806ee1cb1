// Wires gateways to replicas, lets requests and faults come at their times, and counts.
#include "simulate/simulation.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "simulate/event_loop.h"
#include "simulate/gateway.h"
#include "simulate/link.h"
#include "simulate/replica.h"

namespace bouquet::simulate {
namespace {

constexpr Clock::duration kLook = std::chrono::milliseconds(50);  // ivy::Upstreams between two looks at who is ready
constexpr uint64_t kTell = 1024;                                  // requests between two calls of `answered`

// A replica and its place in each gateway's fleet.
struct Host {
  explicit Host(EventLoop& loop, const ReplicaOptions& options) : replica(loop, options) {}
  Replica replica;
  std::vector<ivy::Fleet::Place> places;  // by gateway; empty while it is not there
  Clock::time_point slow_until;
};

class Simulation {
 public:
  Simulation(const Options& options, const std::function<void(uint64_t)>& answered);
  Result run();

 private:
  void come();
  void note(const Answer& answer);
  void begin(const Fault& fault);
  void crash(Host& host, Clock::duration unnoticed);
  void slow_down(Host& host);
  void join(Host& host);
  void leave(Host& host);
  void count_replicas();

  const Options options_;
  const std::function<void(uint64_t)>& answered_;
  EventLoop loop_;
  const Clock::time_point start_ = loop_.now();
  Workload workload_;
  std::vector<std::unique_ptr<Host>> hosts_;
  std::vector<std::unique_ptr<Gateway>> gateways_;
  std::vector<uint8_t> answers_;  // of each request so far
  Result result_;
};

Simulation::Simulation(const Options& options, const std::function<void(uint64_t)>& answered)
    : options_(options),
      answered_(answered),
      workload_(options.workload, options.load * options.cost.capacity() * static_cast<double>(options.replicas)),
      answers_(options.workload.requests) {
  for (size_t i = 0; i < options_.replicas; ++i) {
    hosts_.push_back(std::make_unique<Host>(loop_, ReplicaOptions{options_.cost, options_.admission}));
  }
  const int32_t chunk_tokens = std::max(options_.cost.batch_tokens, options_.cost.bulk_tokens);
  for (size_t i = 0; i < options_.gateways; ++i) {
    ivy::FleetOptions fleet = options_.fleet;
    fleet.balance.seed = options_.seed * options_.gateways + i + 1;
    fleet.now = [this] { return loop_.now(); };
    auto balancer = make_balancer(options_.policy, fleet.balance);
    gateways_.push_back(
        std::make_unique<Gateway>(loop_, std::make_shared<ivy::Fleet>(std::move(fleet), std::move(balancer)),
                                  GatewayOptions{chunk_tokens, options_.chunked, options_.timeout_seconds}));
  }
  for (const auto& host : hosts_) join(*host);
}

Result Simulation::run() {
  for (const Fault& fault : plan_faults(options_.faults, options_.replicas, workload_.seconds())) {
    loop_.after(fault.at, [this, fault] { begin(fault); });
  }
  loop_.after(workload_.gap(), [this] { come(); });
  loop_.run();
  result_.policy = options_.policy;
  result_.chunked = options_.chunked;
  std::sort(result_.online.begin(), result_.online.end());
  std::sort(result_.bulk.begin(), result_.bulk.end());
  result_.unanswered = static_cast<uint64_t>(std::count(answers_.begin(), answers_.end(), 0));
  count_replicas();
  return std::move(result_);
}

// The next request, and when the one after it comes.
void Simulation::come() {
  const std::optional<Request> request = workload_.next();
  if (!request) return;
  loop_.after(workload_.gap(), [this] { come(); });
  result_.requests++;
  result_.texts += request->lengths.size();
  const uint64_t number = request->number;
  gateways_[number % gateways_.size()]->run(*request, [this, number](const Answer& answer) {
    if (answers_[number]++ > 0) ++result_.answered_again;
    note(answer);
  });
}

void Simulation::note(const Answer& answer) {
  result_.seconds = to_seconds(loop_.now() - start_);
  result_.chunks += answer.chunks;
  result_.sent_again += answer.attempts - std::min(answer.attempts, answer.chunks);
  if (answer.status.ok()) {
    (answer.bulk ? result_.bulk : result_.online).push_back(static_cast<float>(to_seconds(answer.latency)));
    result_.tokens += static_cast<uint64_t>(answer.tokens);
    if (!answer.complete) ++result_.wrong;
  } else if (absl::IsResourceExhausted(answer.status)) {
    ++result_.refused;
  } else if (absl::IsDeadlineExceeded(answer.status)) {
    ++result_.late;
  } else {
    ++result_.failed;
  }
  result_.longest_answer = std::max(result_.longest_answer, to_seconds(answer.latency));
  const uint64_t done = result_.online.size() + result_.bulk.size() + result_.refused + result_.late + result_.failed;
  if (done % kTell == 0) answered_(done);
}

void Simulation::begin(const Fault& fault) {
  Host& host = *hosts_[fault.replica];
  if (!host.replica.is_up()) return;
  switch (fault.kind) {
    case FaultKind::kCrash:
      return crash(host, Clock::duration(0));
    case FaultKind::kVanish:
      return crash(host, to_duration(options_.faults.notice_seconds));
    case FaultKind::kSlow:
      return slow_down(host);
  }
}

void Simulation::crash(Host& host, Clock::duration unnoticed) {
  host.replica.crash(loop_.now() + unnoticed);
  const Clock::duration down = std::max(to_duration(options_.faults.down_seconds), unnoticed);
  loop_.after(unnoticed + kLook, [this, &host] { leave(host); });
  loop_.after(down + kLook, [this, &host] {
    host.replica.restart();
    loop_.after(kLook, [this, &host] { join(host); });
  });
}

void Simulation::slow_down(Host& host) {
  const Clock::duration spell = to_duration(options_.faults.slow_seconds);
  host.slow_until = loop_.now() + spell;
  host.replica.set_slowness(options_.faults.slow_factor);
  loop_.after(spell, [this, &host] {
    if (loop_.now() >= host.slow_until) host.replica.set_slowness(1);
  });
}

void Simulation::join(Host& host) {
  if (!host.places.empty() || !host.replica.is_up()) return;
  for (const auto& gateway : gateways_) {
    host.places.push_back(*gateway->fleet().join(std::make_shared<Link>(loop_, host.replica, options_.cost)));
  }
}

void Simulation::leave(Host& host) {
  for (size_t i = 0; i < host.places.size(); ++i) gateways_[i]->fleet().leave(host.places[i]);
  host.places.clear();
}

void Simulation::count_replicas() {
  double busy = 0;
  for (const auto& host : hosts_) {
    const ReplicaCounts& counts = host->replica.counts();
    busy += counts.busy_seconds;
    result_.tokens_computed += counts.tokens;
    result_.most_queued = std::max(result_.most_queued, counts.most_queued);
    result_.largest_chunk = std::max(result_.largest_chunk, counts.largest_chunk);
    result_.longest_queue = std::max(result_.longest_queue, counts.longest_queue_seconds);
    if (!host->replica.is_idle()) ++result_.left_busy;
  }
  result_.busy = busy / (static_cast<double>(options_.replicas) * std::max(result_.seconds, 1e-9));
}

}  // namespace

Result simulate(Options options, const std::function<void(uint64_t)>& answered) {
  options.workload.seed = options.seed;
  options.faults.seed = options.seed;
  return Simulation(options, answered).run();
}

}  // namespace bouquet::simulate
