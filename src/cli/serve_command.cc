// `bouquet serve`: engine, scheduler and gateway in one process.
#include <csignal>
#include <iostream>
#include <memory>
#include <thread>

#include "base/log.h"
#include "base/status.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/huge_code.h"
#include "cli/model_flags.h"
#include "cli/signals.h"
#include "fmt/format.h"
#include "ivy/server.h"
#include "tulip/local_client.h"
#include "tulip/service.h"

namespace bouquet::cli {
namespace {

struct ServeFlags {
  ModelFlags model;
  std::string name;
  std::vector<std::string> aliases;
  ivy::ServerOptions server;
  double request_timeout = 60, header_timeout = 15, body_timeout = 30, idle_timeout = 90, drain_timeout = 30;
  std::string recipe;
  bool raw_token_ids = false;
  bool truncate = true;
  std::string special_tokens_in_text = "control";
  tulip::ServiceOptions service;
  std::string graphs = "lazy";
  int batch_tokens = 0, bulk_tokens = 0;
  bool tune = true;
  bool huge_code = true;
  std::string log_format = "text", log_level = "info";
};

void add_listening(CLI::App& c, ServeFlags& f) {
  c.add_option("--host", f.server.host, "Address to listen on; 0.0.0.0 for all")
      ->capture_default_str()
      ->group("Listening");
  c.add_option("-p,--port", f.server.port, "TCP port; 0: any free one; -1: none")
      ->check(CLI::Range(-1, 65535))
      ->capture_default_str()
      ->group("Listening");
  c.add_option("--unix-socket", f.server.unix_socket, "Also listen on this socket file")->group("Listening");
  c.add_option("--tls-cert", f.server.tls_certificate, "PEM file with the certificate chain; serves HTTPS")
      ->group("Listening");
  c.add_option("--tls-key", f.server.tls_key, "PEM file with the certificate's key")->group("Listening");
  c.add_option("--io-threads", f.server.io_threads, "Threads for HTTP")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Listening");
  c.add_option("--api-key", f.server.api_keys, "A key callers must send (Authorization: Bearer); may be repeated")
      ->allow_extra_args(false)  // one value each time: else it would take the model's name for a key
      ->group("Access");
  c.add_option("--api-key-file", f.server.api_key_file, "One key a line; read again on SIGHUP")->group("Access");
  c.add_option("--cors-origin", f.server.cors_origins,
               "Browser origin that may read replies; * for any; may be repeated")
      ->allow_extra_args(false)
      ->group("Access");
}

void add_limits(CLI::App& c, ServeFlags& f) {
  c.add_option("--max-body-bytes", f.server.max_body_bytes, "Largest request body, also after inflation")
      ->capture_default_str()
      ->group("Limits");
  c.add_option("--max-header-bytes", f.server.max_header_bytes, "Largest request header")
      ->capture_default_str()
      ->group("Limits");
  c.add_option("--max-inputs", f.server.max_inputs, "Most inputs or documents a request")
      ->capture_default_str()
      ->group("Limits");
  c.add_option("--max-connections", f.server.max_connections, "Most connections at once")
      ->capture_default_str()
      ->group("Limits");
  c.add_option("--request-timeout", f.request_timeout, "Seconds a request may take")
      ->capture_default_str()
      ->group("Limits");
  c.add_option("--header-timeout", f.header_timeout, "Seconds to send a request's header")
      ->capture_default_str()
      ->group("Limits");
  c.add_option("--body-timeout", f.body_timeout, "Seconds a body, or the taking of a reply, may pause")
      ->capture_default_str()
      ->group("Limits");
  c.add_option("--idle-timeout", f.idle_timeout, "Seconds a connection may idle")
      ->capture_default_str()
      ->group("Limits");
  c.add_option("--drain-timeout", f.drain_timeout, "Seconds SIGTERM lets requests in flight finish")
      ->capture_default_str()
      ->group("Limits");
  c.add_option("--compress-from-bytes", f.server.compress_from_bytes,
               "Gzip replies this large for clients that ask; 0: never")
      ->capture_default_str()
      ->group("Limits");
}

void add_recipe(CLI::App& c, ServeFlags& f) {
  c.add_option("--name", f.name, "The model's name for clients (default: MODEL)")->group("Requests");
  c.add_option("--alias", f.aliases, "Another name to accept; may be repeated")
      ->allow_extra_args(false)
      ->group("Requests");
  c.add_flag("--any-model-name", f.server.any_model_name, "Serve requests whatever model they name")->group("Requests");
  c.add_option("--recipe", f.recipe, "A TOML file with prompts, lengths and the like; read again on SIGHUP")
      ->group("Requests");
  c.add_flag("--truncate,!--no-truncate", f.truncate, "Cut inputs that are too long (default), or refuse them")
      ->group("Requests");
  c.add_option("--special-tokens-in-text", f.special_tokens_in_text,
               "\"[SEP]\" typed in a text: control (as Hugging Face does) or literal")
      ->check(CLI::IsMember({"control", "literal"}))
      ->capture_default_str()
      ->group("Requests");
  c.add_flag("--raw-token-ids", f.raw_token_ids, "Accept token ids that lack the model's own special tokens")
      ->group("Requests");
}

void add_scheduling(CLI::App& c, ServeFlags& f) {
  tulip::RunnerOptions& r = f.service.runner;
  c.add_option("--lanes", r.scheduler.lanes, "2: online requests before bulk; 1: a plain queue")
      ->check(CLI::IsMember({1, 2}))
      ->capture_default_str()
      ->group("Scheduling");
  c.add_option("--bulk-share", r.scheduler.bulk_share, "Share of each batch kept for bulk while both wait")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->group("Scheduling");
  c.add_option("--batch-tokens", f.batch_tokens, "Tokens a batch; 0: measured")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group("Scheduling");
  c.add_option("--bulk-tokens", f.bulk_tokens, "Tokens a batch of bulk alone; 0: measured")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group("Scheduling");
  c.add_option("--batch-sequences", r.scheduler.max_sequences, "Most sequences a batch")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Scheduling");
  c.add_option("--in-flight", r.max_in_flight, "Batches enqueued on the engine at once")
      ->check(CLI::Range(1, 8))
      ->capture_default_str()
      ->group("Scheduling");
  c.add_option("--max-queued-tokens", r.admission.max_queued_tokens,
               "Tokens that may wait before 429; 0: what runs in --max-queue-seconds")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group("Scheduling");
  c.add_option("--max-queue-seconds", r.admission.max_queue_seconds, "See above")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Scheduling");
  c.add_option("--graphs", f.graphs, "Captured graphs: lazy (a shape's second batch), precapture (its first), off")
      ->check(CLI::IsMember({"lazy", "precapture", "off"}))
      ->capture_default_str()
      ->group("Scheduling");
  c.add_option("--max-graphs", r.graphs.max_graphs, "Captured graphs held at most")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group("Scheduling");
  c.add_flag("--tune,!--no-tune", f.tune, "Measure batch sizes while idle and keep them (default)")
      ->group("Scheduling");
  c.add_flag("--huge-code,!--no-huge-code", f.huge_code,
             "The program's code on 2 MB pages where the system has them (default); profilers want it off");
}

void add_logging(CLI::App& c, ServeFlags& f) {
  c.add_option("--log-format", f.log_format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str()
      ->group("Logging");
  c.add_option("--log-level", f.log_level, "debug, info, warn, error, off")
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
      ->capture_default_str()
      ->group("Logging");
  c.add_flag("--access-log,!--no-access-log", f.server.access_log, "One line a request (default)")->group("Logging");
}

std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

ivy::ServerOptions server_options(const ServeFlags& f) {
  ivy::ServerOptions options = f.server;
  options.request_timeout = milliseconds_of(f.request_timeout);
  options.header_timeout = milliseconds_of(f.header_timeout);
  options.body_timeout = milliseconds_of(f.body_timeout);
  options.idle_timeout = milliseconds_of(f.idle_timeout);
  options.drain_timeout = milliseconds_of(f.drain_timeout);
  return options;
}

tulip::ServiceOptions service_options(const ServeFlags& f) {
  tulip::ServiceOptions options = f.service;
  options.model_name = f.name.empty() ? f.model.model : f.name;
  options.tune = f.tune && f.batch_tokens == 0 && f.bulk_tokens == 0;
  options.cache = cache_directory();
  if (f.batch_tokens > 0) options.runner.scheduler.mixed_budget = options.runner.scheduler.bulk_budget = f.batch_tokens;
  if (f.bulk_tokens > 0) options.runner.scheduler.bulk_budget = f.bulk_tokens;
  options.runner.graphs.mode = f.graphs == "off"    ? tulip::GraphMode::kOff
                               : f.graphs == "lazy" ? tulip::GraphMode::kLazy
                                                    : tulip::GraphMode::kPrecapture;
  return options;
}

absl::StatusOr<ivy::GatewayOptions> gateway_options(const ServeFlags& f, const LoadedModel& loaded) {
  ivy::GatewayOptions options;
  options.model_name = f.name.empty() ? f.model.model : f.name;
  options.model_aliases = f.aliases;
  options.labels = loaded.engine->info().model.labels;
  options.recipe_file = f.recipe;
  options.raw_token_ids = f.raw_token_ids;
  ASSIGN_OR_RETURN(options.recipe, ivy::read_model_recipe(loaded.directory));
  options.recipe.truncate = f.truncate;
  options.recipe.literal_special_tokens = f.special_tokens_in_text == "literal";
  return options;
}

void print_banner(const ServeFlags& f, const rose::EngineInfo& info, const ivy::Server& server, double seconds) {
  const std::string url = server.url();
  const bool embeds = info.model.dimensions > 0;
  std::cout << fmt::format("Bouquet {} serves {} at {}\n", kVersion, f.name.empty() ? f.model.model : f.name, url);
  std::cout << fmt::format("  model   {}, {:.1f}M parameters, {}, at most {} tokens an input\n",
                           info.model.architecture, static_cast<double>(info.model.parameters) / 1e6,
                           embeds ? fmt::format("{} dimensions ({} pooling)", info.model.dimensions, info.model.pooling)
                                  : fmt::format("{} label(s)", info.model.labels.size()),
                           info.model.max_tokens);
  std::cout << fmt::format("  engine  {}, {} weights, {} kernels\n", info.device, info.dtype, info.isa);
  std::cout << fmt::format("  limits  {} inputs and {} MiB a request, {:g} s; ready after {:.2f} s\n\n",
                           f.server.max_inputs, f.server.max_body_bytes >> 20, f.request_timeout, seconds);
  const char* request =
      embeds ? "/v1/embeddings -d '{\"input\":[\"two kinds of traffic\",\"one engine\"]}'"
             : "/rerank -d '{\"query\":\"one engine\",\"texts\":[\"two kinds of traffic\",\"one engine\"]}'";
  std::cout << fmt::format("  curl {}{}\n", url, request) << std::endl;
}

absl::Status serve(const ServeFlags& f) {
  const auto start = std::chrono::steady_clock::now();
  init_log(f.log_format == "json" ? LogFormat::kJson : LogFormat::kText, f.log_level);
  if (f.huge_code) move_code_to_huge_pages();
  SignalWatch signals({SIGINT, SIGTERM, SIGHUP});  // before any thread starts: all of them inherit the mask
  ASSIGN_OR_RETURN(LoadedModel loaded, load(f.model));
  ASSIGN_OR_RETURN(ivy::GatewayOptions gateway_opts, gateway_options(f, loaded));
  ASSIGN_OR_RETURN(std::unique_ptr<tulip::Service> created,
                   tulip::Service::create(std::move(loaded.engine), service_options(f)));
  const std::shared_ptr<tulip::Service> service = std::move(created);
  const auto fleet = std::make_shared<ivy::Fleet>(ivy::FleetOptions{});
  RETURN_IF_ERROR(fleet->join(tulip::make_local_client(service)).status());
  ASSIGN_OR_RETURN(auto gateway, ivy::Gateway::create(std::move(gateway_opts), loaded.tokenizer, fleet));
  ASSIGN_OR_RETURN(auto server, ivy::Server::start(server_options(f), *gateway));
  print_banner(f, service->info(), *server,
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  for (int signal = signals.wait(); signal == SIGHUP; signal = signals.wait()) {
    const absl::Status status = server->reload();
    status.ok() ? log_info("reloaded keys and recipe")
                : log_error("reload refused, the old settings stand", {{"reason", std::string(status.message())}});
  }
  log_info("draining: no new requests, finishing those in flight");
  server->drain();
  service->drain();
  return absl::OkStatus();
}

}  // namespace

Action add_serve(CLI::App& app) {
  CLI::App* c = app.add_subcommand("serve", "Serve a model over HTTP: OpenAI, TEI, Cohere/Jina dialects on one port");
  auto flags = std::make_shared<ServeFlags>();
  flags->model.add_to(*c);
  add_listening(*c, *flags);
  add_limits(*c, *flags);
  add_recipe(*c, *flags);
  add_scheduling(*c, *flags);
  add_logging(*c, *flags);
  c->footer(
      "SIGHUP reads keys and recipe again; SIGTERM and Ctrl-C finish what is in flight, then exit 0.\n\n"
      "  bouquet serve ./my-model --port 9000 --dtype bf16\n"
      "  bouquet serve cross-encoder/ms-marco-MiniLM-L6-v2 --api-key s3cret");
  return [flags] { return serve(*flags); };
}

}  // namespace bouquet::cli
