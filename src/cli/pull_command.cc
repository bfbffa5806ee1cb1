// `bouquet pull`: a model into the local Hugging Face cache, ahead of time.
#include <iostream>
#include <memory>

#include "base/status.h"
#include "cli/command.h"
#include "cli/model_flags.h"

namespace bouquet::cli {
namespace {

struct PullFlags {
  ModelFlags model;
  bool print_path = false;
};

}  // namespace

Action add_pull(CLI::App& app) {
  CLI::App* c = app.add_subcommand("pull", "Download a model into the local Hugging Face cache");
  auto flags = std::make_shared<PullFlags>();
  c->add_option("model,--model", flags->model.model, "A hub id: org/name or org/name@revision")->capture_default_str();
  c->add_option("--revision", flags->model.revision, "Branch, tag or commit on the hub")->capture_default_str();
  c->add_flag("--offline", flags->model.offline, "Only look into the cache");
  c->add_flag("--print-path", flags->print_path, "Print the directory alone, for scripts");
  c->footer(
      "Reads HF_TOKEN, HF_ENDPOINT, HF_HOME, HF_HUB_CACHE and HF_HUB_OFFLINE. A download that was cut goes on where it "
      "was.\n\n"
      "  bouquet pull sentence-transformers/all-MiniLM-L6-v2");
  return [flags]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::filesystem::path directory, find(flags->model));
    std::cout << (flags->print_path ? "" : "here: ") << directory.string() << "\n";
    return absl::OkStatus();
  };
}

}  // namespace bouquet::cli
