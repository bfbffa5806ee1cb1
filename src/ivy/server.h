// Ivy as the command line starts it: the HTTP server with every dialect, over the models of a catalog.
//
//   ASSIGN_OR_RETURN(auto server, Server::start(options, catalog));
//   ... on SIGTERM: server->drain();
//   server->wait();
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/current.h"
#include "ivy/catalog.h"

namespace bouquet::ivy {

struct ServerOptions {
  // Where to listen. With both a port and a unix socket it listens on both; port -1: no TCP; port 0: any free one.
  std::string host = "127.0.0.1";
  int port = 8080;
  std::filesystem::path unix_socket;  // empty: none; a stale socket file is replaced

  // TLS, on TCP only: PEM files, both or none.
  std::filesystem::path tls_certificate;  // the chain, leaf first
  std::filesystem::path tls_key;

  // Who may call. No keys at all: everyone. /health and /ready are always open.
  std::vector<std::string> api_keys;
  std::filesystem::path api_key_file;     // one key a line, # starts a comment; see read_files()
  std::vector<std::string> cors_origins;  // browsers' origins that may read replies; "*": any; empty: none

  // Limits.
  size_t max_body_bytes = 32 << 20;  // also after inflation
  size_t max_header_bytes = 32 << 10;
  size_t max_inputs = 2048;  // inputs or documents a request
  size_t max_connections = 4096;
  std::chrono::milliseconds request_timeout{60'000};  // from the last byte of the request to the reply
  std::chrono::milliseconds header_timeout{15'000};   // from a request's first byte to the end of its header
  std::chrono::milliseconds body_timeout{30'000};     // longest pause within a body, and in taking the reply
  std::chrono::milliseconds idle_timeout{90'000};     // a connection between two requests
  std::chrono::milliseconds drain_timeout{30'000};    // what is in flight by then is cut off

  size_t compress_from_bytes = 256 << 10;  // replies this large are gzipped for clients that ask; 0: never
  int io_threads = 1;
  bool any_model_name = false;  // serve requests whatever `model` they name
  bool access_log = true;

  // Those that read_files() reads; empty paths among them.
  std::vector<std::filesystem::path> files() const { return {api_key_file, tls_certificate, tls_key}; }
};

class Server {
 public:
  // Listening when it returns. `catalog`, which must outlive the server, may be another at any time.
  static absl::StatusOr<std::unique_ptr<Server>> start(ServerOptions options, const Current<Catalog>& catalog);
  ~Server();  // drains

  int port() const;  // the TCP port in use; -1: none
  std::string url() const;

  // The API keys, the certificate and its key again from their files: the change lets the keys in, and connections made
  // from then on see the certificate.
  absl::StatusOr<Change> read_files();

  // Stops accepting, finishes what is in flight, closes idle connections, returns when all are closed.
  void drain();

  // Returns after drain() has.
  void wait();

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bouquet::ivy
