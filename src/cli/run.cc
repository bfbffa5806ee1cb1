// Parses the command line, applies environment and configuration file, runs the subcommand.
#include "cli/run.h"

#include <exception>
#include <iostream>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/settings.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

constexpr char kFooter[] =
    "Every flag is also a variable (--max-length: BOUQUET_MAX_LENGTH) and a key of the file named by --config\n"
    "(max-length = 256). The command line wins, then the environment, then the file.\n\n"
    "  bouquet serve                                     the default model on http://localhost:8080\n"
    "  bouquet embed texts.txt -o vectors.npy            a file, without a server\n"
    "  bouquet doctor                                    what this machine can do";

struct Subcommand {
  CLI::App* app;
  Action action;
};

int execute(const Subcommand& subcommand, const std::string& config) {
  absl::Status status = apply_settings(*subcommand.app, config);
  if (status.ok()) status = subcommand.action();
  if (status.ok()) return 0;
  std::cerr << "bouquet " << subcommand.app->get_name() << ": " << std::string(status.message()) << "\n";
  return 1;
}

}  // namespace

int run(int argc, char** argv) {
  CLI::App app{"Bouquet: text embeddings and reranking, fast and exact, on CPUs"};
  app.name("bouquet");
  app.set_version_flag("--version", fmt::format("bouquet {}", kVersion));
  app.footer(kFooter);
  app.require_subcommand(1);
  std::string config;
  std::vector<Subcommand> subcommands;
  for (const auto add : {add_serve, add_tulip, add_ivy, add_embed, add_eval, add_tokenize, add_generate, add_pull,
                         add_bench, add_simulate, add_doctor, add_completion}) {
    Action action = add(app);
    CLI::App* added = app.get_subcommands(nullptr).back();
    added->add_option("--config", config, "A TOML file with the settings above")->envname("BOUQUET_CONFIG");
    subcommands.push_back({added, std::move(action)});
  }
  init_log(LogFormat::kText, "info");
  try {
    app.parse(argc, argv);
    for (const Subcommand& subcommand : subcommands) {
      if (subcommand.app->parsed()) return execute(subcommand, config);
    }
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::cerr << "bouquet: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace bouquet::cli
