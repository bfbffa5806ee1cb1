// Puts the parts together: router, keys, origins, front, listener.
#include "ivy/server.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ivy/api/front.h"
#include "ivy/http/listener.h"

namespace bouquet::ivy {
namespace {

ApiOptions api_options(const ServerOptions& options) { return {options.max_inputs, options.any_model_name}; }

http::ListenOptions listen_options(const ServerOptions& options) {
  http::ListenOptions listen;
  listen.host = options.host;
  listen.port = options.port;
  listen.unix_socket = options.unix_socket;
  listen.tls_certificate = options.tls_certificate;
  listen.tls_key = options.tls_key;
  listen.threads = options.io_threads < 1 ? 1 : options.io_threads;
  listen.max_connections = options.max_connections;
  return listen;
}

http::ConnectionOptions connection_options(const ServerOptions& options) {
  http::ConnectionOptions connection;
  connection.limits = {options.max_header_bytes, options.max_body_bytes};
  connection.request_timeout = options.request_timeout;
  connection.header_timeout = options.header_timeout;
  connection.body_timeout = options.body_timeout;
  connection.idle_timeout = options.idle_timeout;
  connection.compress_from_bytes = options.compress_from_bytes;
  return connection;
}

}  // namespace

struct Server::Impl {
  Impl(ServerOptions its_options, const Current<Catalog>& catalog)
      : options(std::move(its_options)),
        router(catalog, api_options(options)),
        keys(options.api_keys, options.api_key_file),
        cors(options.cors_origins),
        front(router, keys, cors, options.access_log) {}

  const ServerOptions options;
  const Router router;
  http::KeyRing keys;
  const http::Cors cors;
  Front front;
  std::unique_ptr<http::Listener> listener;
  std::mutex mutex;
  std::condition_variable drained_changed;
  bool drained = false;  // under mutex
};

absl::StatusOr<std::unique_ptr<Server>> Server::start(ServerOptions options, const Current<Catalog>& catalog) {
  auto impl = std::make_unique<Impl>(std::move(options), catalog);
  ASSIGN_OR_RETURN(const Change let_in, impl->keys.read());
  let_in();
  ASSIGN_OR_RETURN(impl->listener, http::Listener::start(listen_options(impl->options),
                                                         connection_options(impl->options), impl->front));
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() { drain(); }

int Server::port() const { return impl_->listener->port(); }

std::string Server::url() const {
  if (port() < 0) return absl::StrCat("unix:", impl_->options.unix_socket.string());
  const std::string& host = impl_->options.host;
  const bool any = host == "0.0.0.0" || host == "::";
  const std::string name = any                                   ? "localhost"
                           : host.find(':') == std::string::npos ? host
                                                                 : absl::StrCat("[", host, "]");
  return absl::StrCat(impl_->options.tls_certificate.empty() ? "http" : "https", "://", name, ":", port());
}

absl::StatusOr<Change> Server::read_files() {
  ASSIGN_OR_RETURN(const Change let_in, impl_->keys.read());
  ASSIGN_OR_RETURN(const Change show, impl_->listener->read_certificate());
  return [let_in, show] {
    let_in();
    show();
  };
}

void Server::drain() {
  impl_->listener->drain(impl_->options.drain_timeout);
  {
    std::lock_guard lock(impl_->mutex);
    impl_->drained = true;
  }
  impl_->drained_changed.notify_all();
}

void Server::wait() {
  std::unique_lock lock(impl_->mutex);
  impl_->drained_changed.wait(lock, [this] { return impl_->drained; });
}

}  // namespace bouquet::ivy
