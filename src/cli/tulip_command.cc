// `bouquet tulip`: the inference server alone, for gateways (`bouquet ivy`) to send token ids to.
#include <iostream>
#include <memory>

#include "base/file_watch.h"
#include "base/log.h"
#include "base/status.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/metrics_server.h"
#include "cli/model_flags.h"
#include "cli/numbers.h"
#include "cli/process.h"
#include "cli/tulip_flags.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "tulip/rpc/server.h"

namespace bouquet::cli {
namespace {

struct TulipCommandFlags {
  ModelFlags model;
  std::string name;
  std::string metrics_listen;
  tulip::RpcServerOptions rpc;
  double leave_time = 0.5;  // seconds
  TulipFlags tulip;
  ProcessFlags process;
};

void add_listening(CLI::App& command, TulipCommandFlags& f) {
  command
      .add_option(
          "--listen", f.rpc.listen,
          "Where to listen: host:port (0.0.0.0:9090 for all; port 0: any free one) or unix:/path; may be repeated")
      ->allow_extra_args(false)
      ->capture_default_str()
      ->group("Listening");
  command.add_option("--tls-cert", f.rpc.tls.certificate, "PEM file with the certificate chain")->group("Listening");
  command.add_option("--tls-key", f.rpc.tls.key, "PEM file with the certificate's key")->group("Listening");
  command.add_option("--tls-client-ca", f.rpc.tls.authority, "PEM file; gateways must show a certificate signed by it")
      ->group("Listening");
  command
      .add_option("--leave-time", f.leave_time,
                  "Seconds for which SIGTERM lets gateways look elsewhere before new chunks are refused")
      ->check(zero_or_more())
      ->capture_default_str()
      ->group("Listening");
  command
      .add_option("--metrics-listen", f.metrics_listen,
                  "Serve /metrics, /health and /ready over HTTP at host:port (default: not at all)")
      ->group("Listening");
  command.add_option("--name", f.name, "The model's name (default: MODEL)")->group("Listening");
}

tulip::RpcServerOptions rpc_options(const TulipCommandFlags& f) {
  tulip::RpcServerOptions options = f.rpc;
  options.leave_time = milliseconds_of(f.leave_time);
  return options;
}

// None where there is nothing to read again.
std::function<absl::Status()> reload_of(const TulipCommandFlags& f, tulip::RpcServer& server) {
  if (f.rpc.tls.certificate.empty()) return nullptr;
  return [&server]() -> absl::Status {
    ASSIGN_OR_RETURN(const Change change, server.read_certificates());
    change();
    return absl::OkStatus();
  };
}

absl::Status tulip_server(const TulipCommandFlags& f) {
  const auto start = std::chrono::steady_clock::now();
  SignalWatch signals = f.process.begin();
  FileWatch watch({f.rpc.tls.certificate, f.rpc.tls.key, f.rpc.tls.authority});
  ASSIGN_OR_RETURN(LoadedModel loaded, load(f.model));
  tulip::ServiceOptions options = f.tulip.options(f.name.empty() ? f.model.model : f.name);
  options.tokenizer_fingerprint = loaded.tokenizer->fingerprint();
  loaded.tokenizer.reset();  // text stays with the gateways
  ASSIGN_OR_RETURN(std::unique_ptr<tulip::Service> created, tulip::Service::create(std::move(loaded.engine), options));
  const std::shared_ptr<tulip::Service> service = std::move(created);
  ASSIGN_OR_RETURN(auto server, tulip::RpcServer::start(rpc_options(f), service));
  std::unique_ptr<MetricsServer> metrics_server;
  if (!f.metrics_listen.empty()) {
    ASSIGN_OR_RETURN(metrics_server,
                     MetricsServer::start(f.metrics_listen, [at = server.get()] { return at->ready(); }));
  }
  const rose::EngineInfo& info = service->info();
  std::cout << fmt::format("Bouquet {} tulip serves {} at {}\n  {}, {} weights, {} kernels; ready after {:.2f} s\n",
                           kVersion, options.model_name, fmt::join(server->addresses(), ", "), info.device, info.dtype,
                           info.isa, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count())
            << std::endl;
  wait_for_the_end(signals, reload_of(f, *server), [&] { return watch.changed(); });
  log_info("draining: finishing the chunks in flight");
  server->drain();
  return absl::OkStatus();
}

}  // namespace

Action add_tulip(CLI::App& app) {
  CLI::App* c = app.add_subcommand("tulip", "The inference server alone: token ids in, vectors out, over gRPC");
  auto flags = std::make_shared<TulipCommandFlags>();
  flags->model.add_to(*c);
  add_listening(*c, *flags);
  flags->tulip.add_to(*c);
  flags->process.add_to(*c);
  c->footer(
      "Certificates are read again when their files change, and on SIGHUP; SIGTERM sends gateways elsewhere, finishes\n"
      "what is in flight, then exits 0.\n\n"
      "  bouquet tulip BAAI/bge-small-en-v1.5 --listen 0.0.0.0:9090\n"
      "  bouquet ivy BAAI/bge-small-en-v1.5 --upstream localhost:9090");
  return [flags] { return tulip_server(*flags); };
}

}  // namespace bouquet::cli
