// `bouquet ivy`: the gateway alone, in front of inference servers (`bouquet tulip`). It needs the model's tokenizer and
// configuration, but no weights and no device.
#include <iostream>
#include <memory>

#include "base/log.h"
#include "base/status.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/ivy_flags.h"
#include "cli/model_flags.h"
#include "cli/process.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "ivy/fleet/upstreams.h"
#include "tulip/rpc/client.h"

namespace bouquet::cli {
namespace {

struct IvyCommandFlags {
  SourceFlags source;
  std::vector<std::string> upstreams;
  tulip::RpcClientOptions rpc;
  ivy::FleetOptions fleet;
  IvyFlags ivy;
  ProcessFlags process;
};

void add_upstreams(CLI::App& command, IvyCommandFlags& f) {
  command
      .add_option("--upstream", f.upstreams,
                  "A `bouquet tulip`: host:port, unix:/path, or dns:name:port for every address of a name, which is "
                  "looked up again and again; may be repeated")
      ->allow_extra_args(false)
      ->group("Upstreams");
  command
      .add_option("--upstream-ca", f.rpc.tls.authority,
                  "PEM file that upstreams' certificates are signed by, or `system`; turns TLS on")
      ->group("Upstreams");
  command.add_option("--upstream-cert", f.rpc.tls.certificate, "PEM file with a certificate to show to upstreams")
      ->group("Upstreams");
  command.add_option("--upstream-key", f.rpc.tls.key, "PEM file with its key")->group("Upstreams");
  command.add_option("--upstream-name", f.rpc.server_name, "The name in upstreams' certificates, if not their host's")
      ->group("Upstreams");
  command.add_option("--retry-share", f.fleet.retry_share, "Chunks that may be sent again after a failure, of all")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->group("Upstreams");
  command
      .add_option("--hedge-share", f.fleet.hedge_share,
                  "Online chunks that may go to a second replica when the first is slower than 95 of 100; 0: none")
      ->check(CLI::Range(0.0, 0.05))
      ->capture_default_str()
      ->group("Upstreams");
}

// What would else be told again and again while the gateway waits.
absl::Status check_upstreams(const IvyCommandFlags& f) {
  if (f.upstreams.empty()) return absl::InvalidArgumentError("no upstream: name at least one with --upstream");
  for (const std::string& upstream : f.upstreams) {
    if (upstream.starts_with("unix:")) continue;
    const std::optional<std::string> name = ivy::dns_name(upstream);
    if (name.value_or(upstream).find(':') == std::string::npos) {
      return absl::InvalidArgumentError(fmt::format("--upstream {} has no port", upstream));
    }
    if (name && !f.rpc.tls.authority.empty() && f.rpc.server_name.empty()) {
      return absl::InvalidArgumentError(fmt::format(
          "--upstream {} stands for addresses, which certificates rarely hold: say with --upstream-name what they do",
          upstream));
    }
  }
  return tulip::channel_credentials(f.rpc.tls).status();
}

// False when a signal came first.
bool wait_for_a_replica(const ivy::Fleet& fleet, const SignalWatch& signals,
                        const std::vector<std::string>& upstreams) {
  constexpr auto kLook = std::chrono::milliseconds(20);
  constexpr int kLooksALine = 250;  // five seconds
  for (int looks = 0; !fleet.card(); ++looks) {
    if (looks % kLooksALine == kLooksALine - 1) {
      log_info("waiting for a replica", {{"upstreams", fmt::format("{}", fmt::join(upstreams, " "))}});
    }
    if (const int signal = signals.wait_for(kLook); signal == SIGINT || signal == SIGTERM) return false;
  }
  return true;
}

absl::Status ivy_server(const IvyCommandFlags& f) {
  SignalWatch signals = f.process.begin();
  RETURN_IF_ERROR(check_upstreams(f));
  ASSIGN_OR_RETURN(const std::filesystem::path directory, find(f.source, ModelParts::kText));
  ASSIGN_OR_RETURN(const auto tokenizer, load_tokenizer(directory));
  ASSIGN_OR_RETURN(ivy::GatewayOptions gateway_options, f.ivy.gateway_options(f.source.model, directory));
  ivy::FleetOptions fleet_options = f.fleet;
  fleet_options.tokenizer_fingerprint = tokenizer->fingerprint();
  const auto fleet = std::make_shared<ivy::Fleet>(fleet_options);
  ivy::Upstreams upstreams(fleet, [&](const std::string& address) { return tulip::make_rpc_client(address, f.rpc); });
  upstreams.set(f.upstreams);
  if (!wait_for_a_replica(*fleet, signals, f.upstreams)) return absl::OkStatus();
  ASSIGN_OR_RETURN(auto gateway, ivy::Gateway::create(std::move(gateway_options), tokenizer, fleet));
  ASSIGN_OR_RETURN(auto server, ivy::Server::start(f.ivy.server_options(), *gateway));
  std::cout << fmt::format("Bouquet {} ivy serves {} at {}\n  upstreams {}\n", kVersion, gateway->model().name,
                           server->url(), fmt::join(f.upstreams, ", "))
            << std::endl;
  wait_for_the_end(signals, [&] { return server->reload(); });
  log_info("draining: no new requests, finishing those in flight");
  server->drain();
  return absl::OkStatus();
}

}  // namespace

Action add_ivy(CLI::App& app) {
  CLI::App* c = app.add_subcommand("ivy", "The gateway alone: HTTP in front of one or many `bouquet tulip`");
  auto flags = std::make_shared<IvyCommandFlags>();
  flags->source.add_source(*c);
  add_upstreams(*c, *flags);
  flags->ivy.add_to(*c);
  flags->process.add_to(*c);
  c->footer(
      "It begins to listen once a replica is there. SIGHUP reads keys and recipe again; SIGTERM and Ctrl-C\n"
      "finish what is in flight, then exit 0.\n\n"
      "  bouquet ivy BAAI/bge-small-en-v1.5 --upstream 10.0.0.5:9090 --upstream 10.0.0.6:9090\n"
      "  bouquet ivy BAAI/bge-small-en-v1.5 --upstream dns:tulip.search.svc.cluster.local:9090 --host 0.0.0.0");
  return [flags] { return ivy_server(*flags); };
}

}  // namespace bouquet::cli
