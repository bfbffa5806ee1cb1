// How many processors this process may really use: affinity mask and cgroup quota, not the host's core count.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::rose::cpu {

struct Topology {
  std::vector<int> processors;  // the affinity mask, ascending
  double quota = 0;             // processors' worth of time the cgroup grants; 0: no limit
  int threads() const;          // min of both, at least 1
};

// `cgroup_root` is /sys/fs/cgroup but in tests. Reads cgroup v2 (cpu.max, up the tree) and v1 (cpu.cfs_quota_us).
Topology read_topology(const std::filesystem::path& cgroup_root = "/sys/fs/cgroup",
                       const std::filesystem::path& self_cgroup = "/proc/self/cgroup");

// "0-3,8": the processors 0, 1, 2, 3 and 8, as taskset and cpusets write them.
absl::StatusOr<std::vector<int>> parse_processors(std::string_view list);

// The same with no other processors than these; INVALID_ARGUMENT when one is not there. Empty: as it was.
absl::StatusOr<Topology> narrow(Topology topology, const std::vector<int>& processors);

// What each of `count` engines that share the topology gets, in order and as evenly as can be; with fewer processors
// than engines nothing, which means that they all share all.
std::vector<std::vector<int>> share_out(const Topology& topology, int count);

// The processor of each of `threads` threads; empty: threads go where the system puts them. `mode` is "on", "off" or
// "auto": on where every processor gets a thread, for then sharing one with another thread of the team, as the system
// does for milliseconds after an idle moment, can only cost. "on" with too few processors is INVALID_ARGUMENT.
absl::StatusOr<std::vector<int>> choose_processors(std::string_view mode, const Topology& topology, int threads);

}  // namespace bouquet::rose::cpu
