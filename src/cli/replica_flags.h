// The flags that say how many engines a process has, and which processors each of them.
#pragma once

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "rose/device/cpu/topology.h"
#include "rose/engine.h"

namespace bouquet::cli {

struct ReplicaFlags {
  int replicas = 1;
  std::vector<std::string> processor_sets;  // "0-3,8", one an engine; instead of a number

  void add_to(CLI::App& command);

  // The options of each engine, at least one: `base`, its own processors, and one store of weights for all.
  // `topology`: what the process may use.
  absl::StatusOr<std::vector<rose::EngineOptions>> engines(const rose::EngineOptions& base,
                                                           const rose::cpu::Topology& topology) const;
};

}  // namespace bouquet::cli
