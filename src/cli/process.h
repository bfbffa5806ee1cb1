// What every server's process has: its log, where its code lies, and the signals that end it or make it read its files
// again.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "cli/signals.h"

namespace bouquet::cli {

inline std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

struct ProcessFlags {
  bool huge_code = true;
  std::string log_format = "text", log_level = "info";

  void add_to(CLI::App& command);

  // Before any thread starts: all of them inherit the signals' mask.
  SignalWatch begin() const;
};

// Logs and counts how reading the files again went.
void tell_of_reload(const absl::Status& status);

// Returns on SIGTERM or SIGINT; a second one ends the process as ever. `reload` runs at each SIGHUP, and whenever
// `look`, which runs several times a second, says that it should; what it says is logged. A process that has nothing to
// read again has no `reload`.
void wait_for_the_end(
    SignalWatch& signals, const std::function<absl::Status()>& reload,
    const std::function<bool()>& look = [] { return false; });

}  // namespace bouquet::cli
