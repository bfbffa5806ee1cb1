// Fixed columns, so that rows can be printed as runs end.
#include "simulate/report.h"

#include "fmt/format.h"

namespace bouquet::simulate {
namespace {

// Three digits or more, in the unit that suits: "9.13 ms", "48.2 ms", "12.0 s".
std::string time_text(double seconds) {
  const bool small = seconds < 1;
  const double value = small ? seconds * 1e3 : seconds;
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, small ? "ms" : "s");
}

std::string times_text(const std::vector<float>& latencies) {
  if (latencies.empty()) return fmt::format("{:>9}{:>9}{:>9}", "-", "-", "-");
  std::string text;
  for (const double share : {0.5, 0.99, 0.999}) text += fmt::format("{:>9}", time_text(quantile(latencies, share)));
  return text;
}

std::string percent(uint64_t part, uint64_t whole) {
  if (part == 0) return "0";
  return fmt::format("{:.2f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::string describe(const Options& o) {
  const Workload workload(o.workload, o.load * o.cost.capacity() * static_cast<double>(o.replicas));
  const double per_second = static_cast<double>(o.workload.requests) / workload.seconds();
  std::string text = fmt::format(
      "{} replicas of {:.0f} tokens a second behind {} gateways, seed {}\n"
      "{} requests over {:.0f} s: {:.0f} requests, {:.0f} texts, {:.0f} tokens a second, {:.0f} % of what the replicas "
      "can "
      "do\n",
      o.replicas, o.cost.capacity(), o.gateways, o.seed, o.workload.requests, workload.seconds(), per_second,
      per_second * workload.mean_texts(), per_second * workload.mean_texts() * workload.mean_tokens(), 100 * o.load);
  size_t slow = 0, gone = 0;
  for (const Fault& fault : plan_faults(o.faults, o.replicas, workload.seconds())) {
    ++(fault.kind == FaultKind::kSlow ? slow : gone);
  }
  text += fmt::format("{} crashes, back after {:g} s; {} times one is {:g} times slower for {:g} s\n", gone,
                      o.faults.down_seconds, slow, o.faults.slow_factor, o.faults.slow_seconds);
  return text;
}

std::string table_head() {
  std::string head = fmt::format("{:<22}{:^27}{:^27}\n{:<22}", "", "    online", "    bulk", "policy");
  for (const char* column :
       {"p50", "p99", "p99.9", "p50", "p99", "p99.9", "busy", "queue", "refused", "late", "failed", "again"}) {
    head += fmt::format("{:>9}", column);
  }
  return head + "\n";
}

std::string table_row(const Result& r) {
  std::string row = fmt::format("{:<22}", fmt::format("{}, {}", name_of(r.policy), r.chunked ? "chunked" : "whole"));
  row += times_text(r.online) + times_text(r.bulk);
  for (const std::string& cell :
       {fmt::format("{:.0f} %", 100 * r.busy), time_text(r.longest_queue), percent(r.refused, r.requests),
        percent(r.late, r.requests), percent(r.failed, r.requests), percent(r.sent_again, r.chunks)}) {
    row += fmt::format("{:>9}", cell);
  }
  return row + "\n";
}

std::string closing(const Options& options, std::span<const Result> results) {
  std::string text;
  for (const Result& r : results) {
    const uint64_t broken = r.unanswered + r.answered_again + r.wrong + r.left_busy;
    if (broken == 0) continue;
    text += fmt::format(
        "WRONG with {}: {} requests unanswered, {} answered again, {} with wrong rows; {} replicas left busy\n",
        name_of(r.policy), r.unanswered, r.answered_again, r.wrong, r.left_busy);
  }
  if (text.empty()) text = "every request was answered once, and every good answer has each text's row in its place\n";
  const Workload workload(options.workload, 1);
  const double hours = 1e9 * workload.mean_tokens() / (options.load * options.cost.capacity()) / 3600;
  text += fmt::format("a billion texts of {:.0f} tokens on average take {:.0f} replica-hours at this load\n",
                      workload.mean_tokens(), hours);
  return text;
}

}  // namespace bouquet::simulate
