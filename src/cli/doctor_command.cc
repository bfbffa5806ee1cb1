// `bouquet doctor`: what this machine can do, what is misconfigured, and what to do about it.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include "base/file.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/hub/model_source.h"
#include "cli/model_flags.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "ivy/recipe.h"
#include "rose/device/cpu/isa.h"
#include "rose/device/cpu/topology.h"

namespace bouquet::cli {
namespace {

namespace fs = std::filesystem;

// Prints findings; counts those that need a hand.
class Report {
 public:
  void fact(std::string_view what, const std::string& value) {
    std::cout << fmt::format("       {:<14} {}\n", what, value);
  }
  void good(std::string_view what, const std::string& value) {
    std::cout << fmt::format("  ok   {:<14} {}\n", what, value);
  }
  void bad(std::string_view what, const std::string& value, std::string_view remedy) {
    std::cout << fmt::format("  !!   {:<14} {}\n       {:<14} -> {}\n", what, value, "", remedy);
    ++problems_;
  }
  int problems() const { return problems_; }

 private:
  int problems_ = 0;
};

// A value in kB from /proc/meminfo; 0 when absent.
int64_t memory_kb(const std::string& key) {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(key + ":")) return std::atoll(line.c_str() + key.size() + 1);
  }
  return 0;
}

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

void check_processor(Report& report) {
  report.fact("processor", rose::cpu::processor_name());
  std::vector<std::string_view> levels;
  for (const rose::cpu::Isa isa : rose::cpu::supported_isas()) levels.push_back(name_of(isa));
  const std::string list = fmt::format("{}; kernels will use {}", fmt::join(levels, ", "), levels.back());
  if (levels.size() > 1) {
    report.good("instructions", list);
  } else {
    report.bad("instructions", list,
               "no AVX2: expect a tenth of the speed. In a virtual machine, pass the host's CPU through");
  }
  const rose::cpu::Topology topology = rose::cpu::read_topology();
  report.good("threads", fmt::format("{} (affinity {} processors, cgroup quota {})", topology.threads(),
                                     topology.processors.size(),
                                     topology.quota > 0 ? fmt::format("{:.2f}", topology.quota) : "none"));
  if (topology.quota > 0 && topology.quota < topology.threads()) {
    report.bad("quota", fmt::format("{:.2f} is no whole number of processors", topology.quota),
               "a thread will be throttled now and then; give whole processors for steady latency");
  }
}

void check_memory(Report& report) {
  const int64_t free_mb = memory_kb("MemAvailable") / 1024;
  const std::string amount = fmt::format("{} MiB available of {} MiB", free_mb, memory_kb("MemTotal") / 1024);
  if (free_mb >= 512) {
    report.good("memory", amount);
  } else {
    report.bad("memory", amount, "the default model needs about 300 MiB; free some, or use --dtype bf16");
  }
  const std::string pages = first_line("/sys/kernel/mm/transparent_hugepage/enabled");
  if (pages.empty() || pages.find("[never]") == std::string::npos) {
    report.good("huge pages", pages.empty() ? "unknown" : pages);
  } else {
    report.bad("huge pages", pages,
               "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled  (big models gain a few percent)");
  }
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  const std::string limit = fmt::format("{} open files", files.rlim_max);
  files.rlim_max >= 4096 ? report.good("descriptors", limit)
                         : report.bad("descriptors", limit, "ulimit -Hn 65536, or fewer --max-connections");
}

void check_folder(Report& report, std::string_view what, const fs::path& folder, std::string_view use) {
  if (folder.empty()) return report.fact(what, fmt::format("none (no HOME); {} is not kept", use));
  fs::path existing = folder;
  while (!existing.empty() && !file_exists(existing)) existing = existing.parent_path();
  if (access(existing.c_str(), W_OK) == 0) return report.good(what, folder.string());
  report.fact(what,
              fmt::format("{} is not writable; {} is not kept (fine when the model is at hand)", folder.string(), use));
}

std::string_view name_of(rose::Output output) {
  switch (output) {
    case rose::Output::kLogits:
      return "scores";
    case rose::Output::kTokens:
      return "vectors of tokens";
    case rose::Output::kMultiVector:
      return "vectors for late interaction";
    case rose::Output::kLexical:
      return "weights of tokens";
    case rose::Output::kVocabulary:
      return "weights of the vocabulary";
    default:
      return "embeddings";
  }
}

// What would be run, in plain words.
void describe(Report& report, const LoadedModel& loaded) {
  const rose::ModelInfo& model = loaded.engine->info().model;
  std::vector<std::string> outputs;
  for (const rose::OutputInfo& o : loaded.engine->info().outputs) {
    outputs.push_back(fmt::format("{} ({} values)", name_of(o.output), o.width));
  }
  report.fact("gives", fmt::format("{}", fmt::join(outputs, ", ")));
  if (!model.pooling.empty()) {
    report.fact("pooling",
                fmt::format("{}, {}", model.pooling, model.normalize ? "then unit length" : "length as it is"));
  }
  if (!model.labels.empty()) report.fact("labels", fmt::format("{}", fmt::join(model.labels, ", ")));
  report.fact("parameters",
              fmt::format("{:.1f} million, {} words", static_cast<double>(model.parameters) * 1e-6, model.vocab_size));
  const auto recipe = ivy::read_model_recipe(loaded.directory);
  if (!recipe.ok()) return report.bad("prompts", std::string(recipe.status().message()), "mend the file it names");
  for (const auto& [name, prompt] : recipe->prompts) {
    report.fact("prompt",
                fmt::format("{}{}: \"{}\"", name, name == recipe->default_prompt ? " (default)" : "", prompt));
  }
  if (recipe->rerank_template) report.fact("rerank prompt", recipe->rerank_template->text);
  if (model.ignored_keys.empty()) return;
  report.fact("ignored", fmt::format("{} of config.json, because --ignore-config-key says so",
                                     fmt::join(model.ignored_keys, ", ")));
}

void check_model(Report& report, const ModelFlags& flags) {
  ModelFlags local = flags;
  local.offline = true;
  const auto loaded = load(local);
  if (!loaded.ok()) {
    if (absl::IsNotFound(loaded.status())) {
      return report.fact("model", fmt::format("{} is not on this machine; `bouquet pull` fetches it", flags.model));
    }
    return report.bad("model", std::string(loaded.status().message()), "this model can't be served as it is");
  }
  const rose::EngineInfo& info = loaded->engine->info();
  report.good("model", fmt::format("{} loads: {}, {} tokens, {} weights ({})", flags.model, info.model.architecture,
                                   info.model.max_tokens, info.dtype, loaded->directory.string()));
  describe(report, *loaded);
}

absl::Status doctor(const ModelFlags& flags) {
  Report report;
  std::cout << "bouquet " << kVersion << "\n";
  check_processor(report);
  check_memory(report);
  const ModelSourceOptions source = model_source_from_environment();
  check_folder(report, "model cache", source.cache, "a downloaded model");
  check_folder(report, "own cache", cache_directory(), "what is measured at start");
  report.fact("hub", fmt::format("{}{}{}", source.endpoint, source.offline ? ", offline" : "",
                                 source.token.empty() ? ", no token" : ", with a token"));
  check_model(report, flags);
  if (report.problems() == 0) {
    std::cout << "nothing to mend\n";
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(fmt::format("{} thing(s) to mend, marked !! above", report.problems()));
}

}  // namespace

Action add_doctor(CLI::App& app) {
  CLI::App* c =
      app.add_subcommand("doctor", "What this machine can do, what is misconfigured, and what to do about it");
  auto flags = std::make_shared<ModelFlags>();
  flags->add_to(*c);
  c->footer("Exits with 1 when something needs mending. Touches no network.");
  return [flags] { return doctor(*flags); };
}

}  // namespace bouquet::cli
