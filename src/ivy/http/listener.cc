// Opens the sockets, accepts, and owns the I/O threads.
#include "ivy/http/listener.h"

#define BOOST_ASIO_SEPARATE_COMPILATION
#define BOOST_BEAST_SEPARATE_COMPILATION
#include <pthread.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/status.h"
#include "base/unix_socket.h"
#include "ivy/http/connection.h"

namespace bouquet::ivy::http {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using asio::ip::tcp;
using asio::local::stream_protocol;
using boost::system::error_code;

constexpr std::chrono::milliseconds kPause{100};  // after an accept that failed, as when descriptors run out

absl::Status socket_error(std::string_view what, const std::string& where, const error_code& error) {
  return absl::UnavailableError(absl::StrCat("cannot ", std::string(what), " ", where, ": ", error.message()));
}

int select_http(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* offered, unsigned size,
                void*) {
  static constexpr unsigned char kHttp11[] = "\x08http/1.1";
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_size, kHttp11, sizeof(kHttp11) - 1, offered, size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

using TlsContext = std::shared_ptr<asio::ssl::context>;

// Null without TLS.
absl::StatusOr<TlsContext> load_tls(const ListenOptions& options) {
  if (options.tls_certificate.empty() && options.tls_key.empty()) return nullptr;
  if (options.tls_certificate.empty() || options.tls_key.empty()) {
    return absl::InvalidArgumentError("TLS needs both a certificate and a key (tls-cert, tls-key)");
  }
  auto context = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  SSL_CTX_set_alpn_select_cb(context->native_handle(), select_http, nullptr);
  SSL_CTX_set_default_passwd_cb(context->native_handle(), [](char*, int, int, void*) { return -1; });  // ask nobody
  error_code error;
  context->use_certificate_chain_file(options.tls_certificate.string(), error);
  if (error) return socket_error("use the certificate", options.tls_certificate.string(), error);
  context->use_private_key_file(options.tls_key.string(), asio::ssl::context::pem, error);
  if (error) return socket_error("use the key", options.tls_key.string(), error);
  return context;
}

std::string peer_of(const tcp::socket& socket) {
  error_code error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  return error ? "unknown" : peer.address().to_string();
}
std::string peer_of(const stream_protocol::socket&) { return "unix"; }

void prepare_socket(tcp::socket& socket) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
}
void prepare_socket(stream_protocol::socket&) {}

}  // namespace

struct Listener::Impl {
  Impl(const ListenOptions& the_listen, const ConnectionOptions& the_connections, Handler& handler)
      : listen(the_listen),
        connection_options(the_connections),
        io(listen.threads == 1 ? 1 : BOOST_ASIO_CONCURRENCY_HINT_DEFAULT),
        work(io.get_executor()),
        connections(listen.max_connections),
        context{handler, connection_options, connections, io} {}

  absl::Status open_tcp();
  absl::Status open_unix();
  void start_threads();
  void drain(std::chrono::milliseconds patience);
  template <class Acceptor>
  awaitable<void> accept(Acceptor& acceptor, bool with_tls);
  TlsContext tls_now() {
    std::lock_guard lock(tls_mutex);
    return tls;
  }
  void use(TlsContext context) {
    std::lock_guard lock(tls_mutex);
    tls = std::move(context);
  }

  const ListenOptions listen;
  const ConnectionOptions connection_options;
  std::mutex tls_mutex;
  TlsContext tls;  // under tls_mutex; null: none. A connection's TLS keeps what it needs of it
  asio::io_context io;
  asio::executor_work_guard<asio::io_context::executor_type> work;
  ConnectionSet connections;
  ConnectionContext context;
  std::vector<tcp::acceptor> tcp_acceptors;
  std::optional<stream_protocol::acceptor> unix_acceptor;
  int port = -1;
  std::vector<std::thread> threads;
  std::once_flag drained;
};

absl::Status Listener::Impl::open_tcp() {
  if (listen.port < 0) return absl::OkStatus();
  const std::string where = absl::StrCat(listen.host, ":", listen.port);
  error_code error;
  tcp::resolver resolver(io);
  const auto found = resolver.resolve(listen.host, std::to_string(listen.port), tcp::resolver::passive, error);
  if (error || found.empty()) return socket_error("resolve", where, error);
  const tcp::endpoint endpoint = found.begin()->endpoint();
  tcp::acceptor acceptor(asio::make_strand(io));
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return socket_error("listen on", where, error);
  port = acceptor.local_endpoint().port();
  tcp_acceptors.push_back(std::move(acceptor));
  return absl::OkStatus();
}

absl::Status Listener::Impl::open_unix() {
  if (listen.unix_socket.empty()) return absl::OkStatus();
  const std::string path = listen.unix_socket.string();
  RETURN_IF_ERROR(free_socket_path(listen.unix_socket));
  error_code error;
  stream_protocol::acceptor acceptor(asio::make_strand(io));
  acceptor.open(stream_protocol(), error);
  if (!error) acceptor.bind(stream_protocol::endpoint(path), error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return socket_error("listen on", path, error);
  unix_acceptor.emplace(std::move(acceptor));
  return absl::OkStatus();
}

template <class Acceptor>
awaitable<void> Listener::Impl::accept(Acceptor& acceptor, bool with_tls) {
  asio::steady_timer pause(acceptor.get_executor());
  while (acceptor.is_open()) {
    error_code error;
    auto socket = co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (error == asio::error::operation_aborted) co_return;
    if (error) {
      log_warn("a connection could not be accepted", {{"error", error.message()}});
      pause.expires_after(kPause);
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
      continue;
    }
    prepare_socket(socket);
    std::string peer = peer_of(socket);
    const int native = socket.release(error);
    const TlsContext now = with_tls ? tls_now() : nullptr;
    if (!error) serve_connection(context, native, std::move(peer), now.get());
  }
}

// On the acceptor's own strand, where its coroutine runs.
template <class Acceptor>
void close_acceptor(Acceptor& acceptor) {
  std::promise<void> closed;
  asio::post(acceptor.get_executor(), [&] {
    error_code ignored;
    acceptor.close(ignored);
    closed.set_value();
  });
  closed.get_future().wait();
}

void Listener::Impl::start_threads() {
  for (tcp::acceptor& acceptor : tcp_acceptors) {
    asio::co_spawn(acceptor.get_executor(), accept(acceptor, true), asio::detached);
  }
  if (unix_acceptor) asio::co_spawn(unix_acceptor->get_executor(), accept(*unix_acceptor, false), asio::detached);
  for (int i = 0; i < listen.threads; ++i) {
    threads.emplace_back([this] { io.run(); });
    pthread_setname_np(threads.back().native_handle(), absl::StrCat("ivy-http-", i).c_str());
  }
}

void Listener::Impl::drain(std::chrono::milliseconds patience) {
  for (tcp::acceptor& acceptor : tcp_acceptors) close_acceptor(acceptor);
  std::error_code ignored;
  if (unix_acceptor) std::filesystem::remove(listen.unix_socket, ignored);  // before it is anybody else's
  if (unix_acceptor) close_acceptor(*unix_acceptor);
  connections.drain(patience);
  work.reset();
  io.stop();
  for (std::thread& thread : threads) thread.join();
  threads.clear();
}

absl::StatusOr<std::unique_ptr<Listener>> Listener::start(const ListenOptions& listen,
                                                          const ConnectionOptions& connections, Handler& handler) {
  if (listen.port < 0 && listen.unix_socket.empty()) {
    return absl::InvalidArgumentError("there is nowhere to listen: give a port or a unix socket (port, unix-socket)");
  }
  auto impl = std::make_unique<Impl>(listen, connections, handler);
  ASSIGN_OR_RETURN(impl->tls, load_tls(listen));
  RETURN_IF_ERROR(impl->open_tcp());
  RETURN_IF_ERROR(impl->open_unix());
  impl->start_threads();
  return std::unique_ptr<Listener>(new Listener(std::move(impl)));
}

Listener::Listener(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Listener::~Listener() { drain(std::chrono::milliseconds(0)); }
int Listener::port() const { return impl_->port; }

absl::StatusOr<Change> Listener::read_certificate() {
  ASSIGN_OR_RETURN(const TlsContext next, load_tls(impl_->listen));
  return [impl = impl_.get(), next] { impl->use(next); };
}

void Listener::drain(std::chrono::milliseconds patience) {
  std::call_once(impl_->drained, [&] { impl_->drain(patience); });
}

}  // namespace bouquet::ivy::http
