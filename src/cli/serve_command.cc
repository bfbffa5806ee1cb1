// `bouquet serve`: engine, scheduler and gateway in one process.
#include <iostream>
#include <memory>

#include "base/file_watch.h"
#include "base/log.h"
#include "base/status.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/ivy_flags.h"
#include "cli/model_flags.h"
#include "cli/process.h"
#include "cli/replica_flags.h"
#include "cli/tulip_flags.h"
#include "fmt/format.h"
#include "ivy/models.h"
#include "ivy/server.h"
#include "tulip/local_client.h"
#include "tulip/service.h"

namespace bouquet::cli {
namespace {

struct ServeFlags {
  ModelFlags model;
  ReplicaFlags replicas;
  IvyFlags ivy;
  TulipFlags tulip;
  ProcessFlags process;
};

void print_banner(const ServeFlags& f, const std::string& name, const rose::EngineInfo& info, size_t replicas,
                  const ivy::Server& server, double seconds) {
  const std::string url = server.url();
  const bool embeds = info.model.dimensions > 0;
  std::cout << fmt::format("Bouquet {} serves {} at {}\n", kVersion, name, url);
  std::cout << fmt::format("  model   {}, {:.1f}M parameters, {}, at most {} tokens an input\n",
                           info.model.architecture, static_cast<double>(info.model.parameters) / 1e6,
                           embeds ? fmt::format("{} dimensions ({} pooling)", info.model.dimensions, info.model.pooling)
                                  : fmt::format("{} label(s)", info.model.labels.size()),
                           info.model.max_tokens);
  std::cout << fmt::format("  engine  {}{}, {} weights, {} kernels\n",
                           replicas > 1 ? fmt::format("{} replicas, each ", replicas) : "", info.device, info.dtype,
                           info.isa);
  std::cout << fmt::format("  limits  {} inputs and {} MiB a request, {:g} s; ready after {:.2f} s\n\n",
                           f.ivy.server.max_inputs, f.ivy.server.max_body_bytes >> 20, f.ivy.request_timeout, seconds);
  const char* request =
      embeds ? "/v1/embeddings -d '{\"input\":[\"two kinds of traffic\",\"one engine\"]}'"
             : "/rerank -d '{\"query\":\"one engine\",\"texts\":[\"two kinds of traffic\",\"one engine\"]}'";
  const std::string_view socket = "unix:";
  const std::string target =
      url.rfind(socket, 0) == 0 ? fmt::format("--unix-socket {} http://localhost", url.substr(socket.size())) : url;
  std::cout << fmt::format("  curl {}{}\n", target, request) << std::endl;
}

using Services = std::vector<std::shared_ptr<tulip::Service>>;

// One a set of options; the first takes the engine that is loaded.
absl::StatusOr<Services> start_services(LoadedModel& loaded, const std::vector<rose::EngineOptions>& engines,
                                        const tulip::ServiceOptions& service_options, ivy::Fleet& fleet) {
  Services services;
  for (const rose::EngineOptions& options : engines) {
    if (!services.empty()) {
      ASSIGN_OR_RETURN(loaded.engine, rose::Engine::load(loaded.directory, options));
    }
    ASSIGN_OR_RETURN(std::unique_ptr<tulip::Service> service,
                     tulip::Service::create(std::move(loaded.engine), service_options));
    services.push_back(std::move(service));
    RETURN_IF_ERROR(fleet.join(tulip::make_local_client(services.back())).status());
  }
  return services;
}

absl::Status serve(const ServeFlags& f) {
  const auto start = std::chrono::steady_clock::now();
  SignalWatch signals = f.process.begin();
  ASSIGN_OR_RETURN(const std::vector<rose::EngineOptions> engines,
                   f.replicas.engines(f.model.engine, rose::cpu::read_topology()));
  ModelFlags first = f.model;
  first.engine = engines.front();
  ASSIGN_OR_RETURN(LoadedModel loaded, load(first));
  const ivy::ModelSpec spec = f.ivy.spec(f.model.model);
  std::vector<std::filesystem::path> files = f.ivy.server.files();
  files.push_back(spec.recipe);
  FileWatch watch(std::move(files));
  ASSIGN_OR_RETURN(const ivy::Recipe own_recipe, ivy::read_model_recipe(loaded.directory));
  ASSIGN_OR_RETURN(ivy::Recipe first_recipe, ivy::read_recipe(spec, own_recipe));
  const auto fleet = std::make_shared<ivy::Fleet>(ivy::FleetOptions{});
  ASSIGN_OR_RETURN(const Services services, start_services(loaded, engines, f.tulip.options(spec.name), *fleet));
  ASSIGN_OR_RETURN(const std::shared_ptr<ivy::Gateway> gateway,
                   ivy::Gateway::create(ivy::gateway_options(spec, std::move(first_recipe)), loaded.tokenizer, fleet));
  ASSIGN_OR_RETURN(auto models, ivy::Catalog::create({{spec.name, spec.aliases, gateway}}));
  const Current<ivy::Catalog> catalog(std::move(models));
  ASSIGN_OR_RETURN(auto server, ivy::Server::start(f.ivy.server_options(), catalog));
  print_banner(f, spec.name, services.front()->info(), services.size(), *server,
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  const auto reload = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const Change own, server->read_files());
    ASSIGN_OR_RETURN(ivy::Recipe recipe, ivy::read_recipe(spec, own_recipe));
    RETURN_IF_ERROR(gateway->accepts(recipe));
    own();
    gateway->use(std::move(recipe));
    return absl::OkStatus();
  };
  wait_for_the_end(signals, reload, [&] { return watch.changed(); });
  log_info("draining: no new requests, finishing those in flight");
  server->drain();
  for (const auto& service : services) service->drain();
  return absl::OkStatus();
}

}  // namespace

Action add_serve(CLI::App& app) {
  CLI::App* c = app.add_subcommand("serve", "Serve a model over HTTP: OpenAI, TEI, Cohere/Jina dialects on one port");
  auto flags = std::make_shared<ServeFlags>();
  flags->model.add_to(*c);
  flags->replicas.add_to(*c);
  flags->ivy.add_to(*c);
  flags->tulip.add_to(*c);
  flags->process.add_to(*c);
  c->footer(
      "Keys, certificates and recipe are read again when their files change, and on SIGHUP; SIGTERM and Ctrl-C finish\n"
      "what is in flight, then exit 0.\n\n"
      "  bouquet serve ./my-model --port 9000 --dtype bf16\n"
      "  bouquet serve cross-encoder/ms-marco-MiniLM-L6-v2 --api-key s3cret");
  return [flags] { return serve(*flags); };
}

}  // namespace bouquet::cli
