// One definition a flag; its variable and TOML key follow from it.
#include "cli/ivy_flags.h"

#include "cli/numbers.h"
#include "cli/process.h"

namespace bouquet::cli {
void IvyFlags::add_to(CLI::App& command) {
  add_listening(command);
  add_limits(command);
  add_requests(command);
}

void IvyFlags::add_listening(CLI::App& command) {
  command.add_option("--host", server.host, "Address to listen on; 0.0.0.0 for all")
      ->capture_default_str()
      ->group("Listening");
  command.add_option("-p,--port", server.port, "TCP port; 0: any free one; -1: none")
      ->check(CLI::Range(-1, 65535))
      ->capture_default_str()
      ->group("Listening");
  command.add_option("--unix-socket", server.unix_socket, "Also listen on this socket file")->group("Listening");
  command.add_option("--tls-cert", server.tls_certificate, "PEM file with the certificate chain; serves HTTPS")
      ->group("Listening");
  command.add_option("--tls-key", server.tls_key, "PEM file with the certificate's key")->group("Listening");
  command.add_option("--io-threads", server.io_threads, "Threads for HTTP")
      ->check(above_zero())
      ->capture_default_str()
      ->group("Listening");
  command
      .add_option("--api-key", server.api_keys,
                  "A key callers must send (Authorization: Bearer KEY, or x-api-key: KEY); may be repeated")
      ->allow_extra_args(false)  // one value each time: else it would take the model's name for a key
      ->group("Access");
  command
      .add_option("--api-key-file", server.api_key_file, "One key a line; read again when it changes, and on SIGHUP")
      ->group("Access");
  command
      .add_option("--cors-origin", server.cors_origins,
                  "Browser origin that may read replies; * for any; may be repeated")
      ->allow_extra_args(false)
      ->group("Access");
}

void IvyFlags::add_limits(CLI::App& command) {
  command.add_option("--max-body-bytes", server.max_body_bytes, "Largest request body, also after inflation")
      ->capture_default_str()
      ->group("Limits");
  command.add_option("--max-header-bytes", server.max_header_bytes, "Largest request header")
      ->capture_default_str()
      ->group("Limits");
  command.add_option("--max-inputs", server.max_inputs, "Most inputs or documents a request")
      ->capture_default_str()
      ->group("Limits");
  command.add_option("--max-connections", server.max_connections, "Most connections at once")
      ->capture_default_str()
      ->group("Limits");
  command.add_option("--request-timeout", request_timeout, "Seconds a request may take")
      ->capture_default_str()
      ->group("Limits");
  command.add_option("--header-timeout", header_timeout, "Seconds to send a request's header")
      ->capture_default_str()
      ->group("Limits");
  command.add_option("--body-timeout", body_timeout, "Seconds a body, or the taking of a reply, may pause")
      ->capture_default_str()
      ->group("Limits");
  command.add_option("--idle-timeout", idle_timeout, "Seconds a connection may idle")
      ->capture_default_str()
      ->group("Limits");
  command.add_option("--drain-timeout", drain_timeout, "Seconds SIGTERM lets requests in flight finish")
      ->capture_default_str()
      ->group("Limits");
  command
      .add_option("--compress-from-bytes", server.compress_from_bytes,
                  "Gzip replies this large for clients that ask; 0: never")
      ->capture_default_str()
      ->group("Limits");
}

void IvyFlags::add_requests(CLI::App& command) {
  command.add_option("--name", name, "The model's name for clients (default: MODEL)")->group("Requests");
  command.add_option("--alias", aliases, "Another name to accept; may be repeated")
      ->allow_extra_args(false)
      ->group("Requests");
  command.add_flag("--any-model-name", server.any_model_name, "Serve requests whatever model they name")
      ->group("Requests");
  command
      .add_option("--recipe", recipe,
                  "A TOML file with prompts, lengths and the like; read again when it changes, and on SIGHUP")
      ->group("Requests");
  command.add_flag("--truncate,!--no-truncate", truncate, "Cut inputs that are too long (default), or refuse them")
      ->group("Requests");
  command
      .add_option("--special-tokens-in-text", special_tokens_in_text,
                  "\"[SEP]\" typed in a text: control (as Hugging Face does) or literal")
      ->check(CLI::IsMember({"control", "literal"}))
      ->capture_default_str()
      ->group("Requests");
  command.add_flag("--raw-token-ids", raw_token_ids, "Accept token ids that lack the model's own special tokens")
      ->group("Requests");
  command
      .add_option("--result-cache-mb", result_cache_mb,
                  "Megabytes for results that may be asked for again; identical inputs in flight are run once; 0: off")
      ->capture_default_str()
      ->group("Requests");
  command.add_flag("--access-log,!--no-access-log", server.access_log, "One line a request (default)")
      ->group("Logging");
}

ivy::ServerOptions IvyFlags::server_options() const {
  ivy::ServerOptions options = server;
  options.request_timeout = milliseconds_of(request_timeout);
  options.header_timeout = milliseconds_of(header_timeout);
  options.body_timeout = milliseconds_of(body_timeout);
  options.idle_timeout = milliseconds_of(idle_timeout);
  options.drain_timeout = milliseconds_of(drain_timeout);
  return options;
}

ivy::ModelSpec IvyFlags::spec(const std::string& model) const {
  ivy::ModelSpec spec;
  spec.model = model;
  spec.name = name.empty() ? model : name;
  spec.aliases = aliases;
  spec.recipe = recipe;
  spec.truncate = truncate;
  spec.literal_special_tokens = special_tokens_in_text == "literal";
  spec.raw_token_ids = raw_token_ids;
  spec.result_cache_mb = result_cache_mb;
  return spec;
}

}  // namespace bouquet::cli
