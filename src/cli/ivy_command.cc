// `bouquet ivy`: the gateway alone, in front of inference servers (`bouquet tulip`). It needs the models' tokenizers
// and configuration, but no weights and no device.
#include <iostream>
#include <memory>

#include "absl/functional/function_ref.h"
#include "base/file.h"
#include "base/file_watch.h"
#include "base/log.h"
#include "base/status.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/ivy_flags.h"
#include "cli/model_flags.h"
#include "cli/process.h"
#include "cli/upstream_channels.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "ivy/models.h"

namespace bouquet::cli {
namespace {

constexpr auto kLook = std::chrono::milliseconds(20);  // while waiting for replicas
constexpr int kLongestStart = 250;                     // such looks: five seconds

struct IvyCommandFlags {
  SourceFlags source;
  ivy::ModelSpec upstreams;  // what the flags say of those
  std::filesystem::path models;
  IvyFlags ivy;
  ProcessFlags process;
};

// The names of the flags that say what a models file says for each model.
constexpr const char* kOneModel[] = {
    "--model",         "--revision",       "--upstream",      "--upstreams-file", "--upstream-ca",
    "--upstream-cert", "--upstream-key",   "--upstream-name", "--retry-share",    "--hedge-share",
    "--name",          "--alias",          "--recipe",        "--truncate",       "--special-tokens-in-text",
    "--raw-token-ids", "--result-cache-mb"};

void add_upstreams(CLI::App& command, ivy::ModelSpec& f) {
  command
      .add_option("--upstream", f.upstreams,
                  "A `bouquet tulip`: host:port, unix:/path, or dns:name:port for every address of a name, which is "
                  "looked up again and again; may be repeated")
      ->allow_extra_args(false)
      ->group("Upstreams");
  command
      .add_option("--upstreams-file", f.upstreams_file,
                  "More of them, one a line, # starts a comment; read again when it changes, and on SIGHUP")
      ->group("Upstreams");
  command
      .add_option("--upstream-ca", f.security.authority,
                  "PEM file that upstreams' certificates are signed by, or `system`; turns TLS on")
      ->group("Upstreams");
  command.add_option("--upstream-cert", f.security.certificate, "PEM file with a certificate to show to upstreams")
      ->group("Upstreams");
  command.add_option("--upstream-key", f.security.key, "PEM file with its key")->group("Upstreams");
  command.add_option("--upstream-name", f.security.name, "The name in upstreams' certificates, if not their host's")
      ->group("Upstreams");
  command.add_option("--retry-share", f.retry_share, "Chunks that may be sent again after a failure, of all")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->group("Upstreams");
  command
      .add_option("--hedge-share", f.hedge_share,
                  "Online chunks that may go to a second replica when the first is slower than 95 of 100; 0: none")
      ->check(CLI::Range(0.0, 0.05))
      ->capture_default_str()
      ->group("Upstreams");
}

absl::Status check_flags(const CLI::App& command, const IvyCommandFlags& f) {
  if (f.models.empty()) return absl::OkStatus();
  for (const char* flag : kOneModel) {
    if (command.get_option(flag)->count() == 0) continue;
    return absl::InvalidArgumentError(fmt::format(
        "{} is of one model, and --models {} says it for each: leave one of them out", flag, f.models.string()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ivy::ModelSpec>> read_specs(const IvyCommandFlags& f) {
  if (!f.models.empty()) {
    ASSIGN_OR_RETURN(const std::string text, read_file(f.models));
    return ivy::parse_models(text, f.models);
  }
  ivy::ModelSpec spec = f.ivy.spec(f.source.model);
  spec.revision = f.source.revision;
  spec.upstreams = f.upstreams.upstreams;
  spec.upstreams_file = f.upstreams.upstreams_file;
  spec.security = f.upstreams.security;
  spec.retry_share = f.upstreams.retry_share;
  spec.hedge_share = f.upstreams.hedge_share;
  return std::vector{spec};
}

std::vector<std::filesystem::path> files_of(const IvyCommandFlags& f, const std::vector<ivy::ModelSpec>& specs) {
  std::vector<std::filesystem::path> files = f.ivy.server.files();
  files.push_back(f.models);
  for (const ivy::ModelSpec& spec : specs) {
    for (const std::filesystem::path& file : ivy::files_of(spec)) files.push_back(file);
  }
  return files;
}

absl::StatusOr<ivy::Models::Loaded> load_text_parts(SourceFlags source, const ivy::ModelSpec& spec) {
  source.model = spec.model;
  source.revision = spec.revision;
  ASSIGN_OR_RETURN(const std::filesystem::path directory, find(source, ModelParts::kText));
  ivy::Models::Loaded loaded;
  ASSIGN_OR_RETURN(loaded.tokenizer, load_tokenizer(directory));
  ASSIGN_OR_RETURN(loaded.recipe, ivy::read_model_recipe(directory));
  return loaded;
}

void print_banner(const std::vector<ivy::ModelSpec>& specs, const std::string& url) {
  std::vector<std::string> names;
  for (const ivy::ModelSpec& spec : specs) names.push_back(spec.name);
  std::cout << fmt::format("Bouquet {} ivy serves {} at {}\n", kVersion, fmt::join(names, ", "), url);
  for (const ivy::ModelSpec& spec : specs) {
    std::vector<std::string> upstreams = spec.upstreams;
    if (!spec.upstreams_file.empty()) upstreams.push_back(fmt::format("those of {}", spec.upstreams_file.string()));
    std::cout << fmt::format("  {}: upstreams {}\n", spec.name, fmt::join(upstreams, ", "));
  }
  std::cout << std::flush;
}

// Until each model has had a replica; of a models file, for five seconds at most, so that one does not keep the others
// waiting. False when a signal came first.
// `reload` is called when files have changed or a signal asks for it.
absl::StatusOr<bool> wait_for_replicas(const IvyCommandFlags& f, ivy::Models& models, const SignalWatch& signals,
                                       FileWatch& watch, absl::FunctionRef<absl::Status()> reload) {
  for (int looks = 1; !models.complete(); ++looks) {
    const absl::Status status = models.look();
    if (f.models.empty()) RETURN_IF_ERROR(status);
    if (!status.ok()) log_error("a model can't be served", {{"reason", std::string(status.message())}});
    if (looks % kLongestStart == 0) log_info("waiting for a replica: no upstream serves yet");
    if (looks == kLongestStart && !f.models.empty()) return true;
    const int signal = signals.wait_for(kLook);
    if (signal == SIGINT || signal == SIGTERM) return false;
    if (signal == SIGHUP || watch.changed()) tell_of_reload(reload());
  }
  return true;
}

absl::Status ivy_server(const CLI::App& command, const IvyCommandFlags& f) {
  SignalWatch signals = f.process.begin();
  RETURN_IF_ERROR(check_flags(command, f));
  ASSIGN_OR_RETURN(const std::vector<ivy::ModelSpec> first, read_specs(f));
  FileWatch watch(files_of(f, first));
  UpstreamChannels channels;
  ivy::Models models([&](const ivy::ModelSpec& spec) { return load_text_parts(f.source, spec); },
                     [&](const ivy::UpstreamSecurity& security, const std::string& address) {
                       return channels.connect(security, address);
                     });
  const auto prepare_models = [&](const std::vector<ivy::ModelSpec>& specs) -> absl::StatusOr<Change> {
    ASSIGN_OR_RETURN(const Change secure, channels.read(specs));
    ASSIGN_OR_RETURN(const Change change, models.prepare(specs));
    return [secure, change] {
      secure();
      change();
    };
  };
  ASSIGN_OR_RETURN(const Change begin, prepare_models(first));
  begin();
  const auto prepare = [&]() -> absl::StatusOr<Change> {
    ASSIGN_OR_RETURN(const std::vector<ivy::ModelSpec> specs, read_specs(f));
    watch.watch(files_of(f, specs));  // also where it is refused: what they name may be put right
    return prepare_models(specs);
  };
  const auto reload_models = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const Change change, prepare());
    change();
    return absl::OkStatus();
  };
  ASSIGN_OR_RETURN(const bool go_on, wait_for_replicas(f, models, signals, watch, reload_models));
  if (!go_on) return absl::OkStatus();
  ASSIGN_OR_RETURN(auto server, ivy::Server::start(f.ivy.server_options(), models.catalog()));
  print_banner(first, server->url());
  const auto reload = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const Change own, server->read_files());
    ASSIGN_OR_RETURN(const Change change, prepare());
    own();
    change();
    return absl::OkStatus();
  };
  wait_for_the_end(signals, reload, [&] {
    if (const absl::Status status = models.look(); !status.ok()) {
      log_error("a model can't be served", {{"reason", std::string(status.message())}});
    }
    return watch.changed();
  });
  log_info("draining: no new requests, finishing those in flight");
  server->drain();
  return absl::OkStatus();
}

}  // namespace

Action add_ivy(CLI::App& app) {
  CLI::App* c = app.add_subcommand("ivy", "The gateway alone: HTTP in front of one or many `bouquet tulip`");
  auto flags = std::make_shared<IvyCommandFlags>();
  flags->source.add_source(*c);
  add_upstreams(*c, flags->upstreams);
  c->add_option(
       "--models", flags->models,
       "A TOML file with several models, each with its upstreams and recipe, in place of MODEL and what is said "
       "of it; read again when it changes, and on SIGHUP")
      ->group("Upstreams");
  flags->ivy.add_to(*c);
  flags->process.add_to(*c);
  c->footer(
      "It begins to listen once a replica is there. Keys, certificates, recipes, models and upstreams are read again\n"
      "when their files change, and on SIGHUP; SIGTERM and Ctrl-C finish what is in flight, then exit 0.\n\n"
      "  bouquet ivy BAAI/bge-small-en-v1.5 --upstream 10.0.0.5:9090 --upstream 10.0.0.6:9090\n"
      "  bouquet ivy BAAI/bge-small-en-v1.5 --upstream dns:tulip.search.svc.cluster.local:9090 --host 0.0.0.0\n"
      "  bouquet ivy --models models.toml");
  return [c, flags] { return ivy_server(*c, *flags); };
}

}  // namespace bouquet::cli
