// A subcommand of `bouquet`: adds itself to the command line, and runs when it is the one called. One file each; this
// list is the only place that knows them all.
#pragma once

#include <functional>
#include <memory>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"

namespace bouquet::cli {

// What runs once the command line, environment and configuration file are read. An error ends the process with 1.
using Action = std::function<absl::Status()>;

Action add_serve(CLI::App& app);
Action add_tulip(CLI::App& app);
Action add_ivy(CLI::App& app);
Action add_embed(CLI::App& app);
Action add_eval(CLI::App& app);
Action add_tokenize(CLI::App& app);
Action add_generate(CLI::App& app);
Action add_pull(CLI::App& app);
Action add_bench(CLI::App& app);
Action add_simulate(CLI::App& app);
Action add_doctor(CLI::App& app);
Action add_completion(CLI::App& app);

}  // namespace bouquet::cli
