// Log, code on 2 MB pages, signals.
#include "cli/process.h"

#include <sys/resource.h>

#include <csignal>

#include "base/log.h"
#include "base/metrics.h"
#include "cli/huge_code.h"

namespace bouquet::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{250};

// As many descriptors as the system lets us have: shells start programs with 1,024, less than there may be connections.
void raise_descriptor_limit() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

Counter& reloads(const char* result) {
  return metrics().counter("bouquet_reloads_total", "Times that files were read again, and what became of it",
                           {{"result", result}});
}

}  // namespace

void ProcessFlags::add_to(CLI::App& command) {
  command.add_flag("--huge-code,!--no-huge-code", huge_code,
                   "The program's code on 2 MB pages where the system has them (default); profilers want it off");
  command.add_option("--log-format", log_format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str()
      ->group("Logging");
  command.add_option("--log-level", log_level, "debug, info, warn, error, off")
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
      ->capture_default_str()
      ->group("Logging");
}

SignalWatch ProcessFlags::begin() const {
  init_log(log_format == "json" ? LogFormat::kJson : LogFormat::kText, log_level);
  raise_descriptor_limit();
  for (const char* result : {"done", "refused"}) reloads(result);  // from now on, at 0
  if (huge_code) move_code_to_huge_pages();
  return SignalWatch({SIGINT, SIGTERM, SIGHUP});
}

void tell_of_reload(const absl::Status& status) {
  reloads(status.ok() ? "done" : "refused").Increment();
  status.ok() ? log_info("reloaded")
              : log_error("reload refused, the old settings stand", {{"reason", std::string(status.message())}});
}

void wait_for_the_end(SignalWatch& signals, const std::function<absl::Status()>& reload,
                      const std::function<bool()>& look) {
  for (int signal = 0; signal == 0 || signal == SIGHUP; signal = signals.wait_for(kBetweenLooks)) {
    if (signal == 0 && !look()) continue;
    reload ? tell_of_reload(reload()) : log_info("SIGHUP: there is no file to read again");
  }
  signals.let_go();
}

}  // namespace bouquet::cli
