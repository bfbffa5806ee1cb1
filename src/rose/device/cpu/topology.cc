// Affinity through sched_getaffinity, quota through the cgroup files.
#include "rose/device/cpu/topology.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace bouquet::rose::cpu {
namespace {

namespace fs = std::filesystem;

std::vector<int> affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) processors.push_back(cpu);
    }
  }
  if (processors.empty()) processors.push_back(0);
  return processors;
}

// "max 100000" or "150000 100000"; 0 when unlimited or unreadable.
double read_cpu_max(const fs::path& file) {
  std::ifstream in(file);
  std::string quota;
  double period = 0;
  if (!(in >> quota >> period) || quota == "max" || period <= 0) return 0;
  return std::strtod(quota.c_str(), nullptr) / period;
}

double read_cfs(const fs::path& folder) {
  std::ifstream quota_in(folder / "cpu.cfs_quota_us"), period_in(folder / "cpu.cfs_period_us");
  double quota = 0, period = 0;
  if (!(quota_in >> quota) || !(period_in >> period) || quota <= 0 || period <= 0) return 0;
  return quota / period;
}

double tighter(double a, double b) {
  if (a == 0) return b;
  if (b == 0) return a;
  return std::min(a, b);
}

// The process's own group in the unified hierarchy, e.g. "/kubepods/pod1"; "" when it has none.
std::string own_group(const fs::path& self_cgroup) {
  std::ifstream in(self_cgroup);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("0::")) return line.substr(3);
  }
  return "";
}

}  // namespace

int Topology::threads() const {
  int count = static_cast<int>(processors.size());
  if (quota > 0) count = std::min(count, static_cast<int>(std::ceil(quota - 1e-9)));
  return std::max(count, 1);
}

absl::StatusOr<std::vector<int>> choose_processors(std::string_view mode, const Topology& topology, int threads) {
  const auto count = static_cast<int>(topology.processors.size());
  if (mode == "off" || (mode == "auto" && threads != count)) return std::vector<int>();
  if (mode != "on" && mode != "auto") {
    return absl::InvalidArgumentError(fmt::format("unknown pinning \"{}\" (auto, on, off)", mode));
  }
  if (threads > count) {
    return absl::InvalidArgumentError(
        fmt::format("cannot pin {} threads: this process may use {} processors", threads, count));
  }
  return std::vector<int>(topology.processors.begin(), topology.processors.begin() + threads);
}

absl::StatusOr<std::vector<int>> parse_processors(std::string_view list) {
  std::vector<int> processors;
  for (const absl::string_view part : absl::StrSplit(absl::string_view(list.data(), list.size()), ',')) {
    const std::pair<absl::string_view, absl::string_view> ends = absl::StrSplit(part, absl::MaxSplits('-', 1));
    int first = 0, last = 0;
    const bool one = ends.second.empty() && part.find('-') == part.npos;
    if (!absl::SimpleAtoi(ends.first, &first) || !absl::SimpleAtoi(one ? ends.first : ends.second, &last) ||
        first < 0 || last < first || last >= CPU_SETSIZE) {
      return absl::InvalidArgumentError(fmt::format("\"{}\" is no list of processors such as 0-3,8", list));
    }
    for (int processor = first; processor <= last; ++processor) processors.push_back(processor);
  }
  std::sort(processors.begin(), processors.end());
  processors.erase(std::unique(processors.begin(), processors.end()), processors.end());
  return processors;
}

absl::StatusOr<Topology> narrow(Topology topology, const std::vector<int>& processors) {
  if (processors.empty()) return topology;
  for (const int processor : processors) {
    if (!std::binary_search(topology.processors.begin(), topology.processors.end(), processor)) {
      return absl::InvalidArgumentError(fmt::format("this process may not use processor {} (it may use {})", processor,
                                                    fmt::join(topology.processors, ", ")));
    }
  }
  topology.processors = processors;
  return topology;
}

std::vector<std::vector<int>> share_out(const Topology& topology, int count) {
  std::vector<std::vector<int>> shares(count);
  const size_t all = topology.processors.size(), parts = shares.size();
  if (all < parts) return shares;
  for (size_t i = 0; i < parts; ++i) {
    const auto at = [&](size_t part) {
      return topology.processors.begin() + static_cast<ptrdiff_t>(all * part / parts);
    };
    shares[i].assign(at(i), at(i + 1));
  }
  return shares;
}

Topology read_topology(const fs::path& cgroup_root, const fs::path& self_cgroup) {
  Topology topology;
  topology.processors = affinity();
  double quota = tighter(read_cpu_max(cgroup_root / "cpu.max"), read_cfs(cgroup_root / "cpu"));
  fs::path group = fs::path(own_group(self_cgroup)).relative_path();
  while (!group.empty()) {
    quota = tighter(quota, read_cpu_max(cgroup_root / group / "cpu.max"));
    group = group.parent_path();
  }
  topology.quota = quota;
  return topology;
}

}  // namespace bouquet::rose::cpu
