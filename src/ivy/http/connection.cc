// A coroutine a connection, on a strand of its own: everything below but what hands something in from outside runs
// there.
#include "ivy/http/connection.h"

#define BOOST_ASIO_SEPARATE_COMPILATION
#define BOOST_BEAST_SEPARATE_COMPILATION
#include <array>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/log.h"
#include "ivy/failure.h"
#include "ivy/http/coding.h"
#include "ivy/http/parser.h"
#include "ivy/http/reply.h"
#include "ivy/http/sleeper.h"
#include "ivy/meters.h"

namespace bouquet::ivy::http {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using boost::system::error_code;
using Strand = asio::strand<asio::io_context::executor_type>;
using Socket = asio::basic_stream_socket<asio::generic::stream_protocol, Strand>;
using TlsStream = asio::ssl::stream<Socket>;
using Timer = asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, Strand>;

constexpr size_t kReadBytes = 64 << 10;
constexpr size_t kOnePiece = 64 << 10;     // header and body up to this are written together
constexpr size_t kReadAhead = 256 << 10;   // read while a request is being computed: later, pipelined ones
constexpr size_t kWriteBytes = 256 << 10;  // written under one timeout
constexpr int kSlowestBody = 20;           // body_timeouts that a whole body may take
constexpr std::chrono::seconds kGrace{1};  // between a request's deadline and our own 504
// How long a draining connection waits for a request that was on its way before its client could know.
constexpr std::chrono::milliseconds kLastCall{250};
constexpr std::chrono::seconds kLinger{2};  // for the client to read the last reply before the socket goes

Socket& socket_of(Socket& stream) { return stream; }
Socket& socket_of(TlsStream& stream) { return stream.next_layer(); }

template <class Stream>
class Connection : public Drainable, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  template <class... Tls>
  Connection(ConnectionContext& context, Socket socket, std::string peer, Tls&... tls)
      : member_(context.connections, this),
        context_(context),
        options_(context.options),
        strand_(socket.get_executor()),
        stream_(std::move(socket), tls...),
        sleeper_(strand_),
        guard_(strand_),
        peer_(std::move(peer)) {}

  void start() {
    auto self = this->shared_from_this();
    error_code ignored;
    socket_of(stream_).non_blocking(true, ignored);  // for write_at_once
    asio::co_spawn(
        strand_, [self] { return self->serve(); }, asio::detached);
  }
  void drain() override {
    on_strand([](Connection& c) {
      c.last_call_ = Clock::now() + kLastCall;
      c.sleeper_.wake();
    });
  }
  void abort() override {
    on_strand([](Connection& c) { c.close_now(); });
  }

 private:
  // The request at hand, as its responder may reach it from any thread.
  struct Pending {
    explicit Pending(ReplyForm its_form) : form(std::move(its_form)) {}
    const ReplyForm form;
    std::atomic_flag answered;
    std::optional<WireReply> reply;  // on the strand
  };

  template <class Step>
  void on_strand(Step step) {
    asio::post(strand_, [self = this->shared_from_this(), step] { step(*self); });
  }

  awaitable<void> serve();
  awaitable<bool> serve_one();
  awaitable<bool> read_header(Parser& parser);
  awaitable<bool> read_body(Parser& parser);
  awaitable<bool> answer(Parser& parser, Request request);
  awaitable<bool> refuse(Parser& parser, absl::Status status, int http_status);
  awaitable<bool> send(const RequestHead& head, size_t bytes_in, Clock::time_point received, WireReply reply);
  awaitable<bool> write(asio::const_buffer bytes);
  size_t write_at_once(asio::const_buffer bytes);
  awaitable<bool> wait_until(Clock::time_point deadline);
  awaitable<void> close();
  awaitable<bool> handshake();
  void guard_until(Clock::time_point deadline);
  Respond responder(std::shared_ptr<Pending> pending);
  Executor executor();
  ReplyForm form_of(Parser& parser) const;
  void start_read();
  void feed(Parser& parser) { inbox_.erase(0, parser.feed(inbox_)); }
  void close_now();

  const Membership member_;  // first, see there
  ConnectionContext& context_;
  const ConnectionOptions& options_;
  Strand strand_;
  Stream stream_;
  Sleeper<Timer> sleeper_;
  Timer guard_;  // closes the socket under an operation that takes too long
  const std::string peer_;
  std::array<char, kReadBytes> chunk_;
  std::string inbox_;  // received, not yet parsed
  bool reading_ = false;
  bool ended_ = false;                          // nothing more will come
  std::optional<Clock::time_point> last_call_;  // set once it drains: requests that begin later are not waited for
};

template <class Stream>
void Connection<Stream>::start_read() {
  if (reading_ || ended_ || inbox_.size() >= kReadAhead) return;
  reading_ = true;
  auto self = this->shared_from_this();
  stream_.async_read_some(asio::buffer(chunk_), [self](error_code error, size_t bytes) {
    self->reading_ = false;
    self->inbox_.append(self->chunk_.data(), bytes);
    self->ended_ = self->ended_ || error;
    self->sleeper_.wake();
  });
}

template <class Stream>
void Connection<Stream>::close_now() {
  ended_ = true;
  error_code ignored;
  socket_of(stream_).close(ignored);
  sleeper_.stop();
}

// Sleeps until there is news; false: the deadline passed first.
template <class Stream>
awaitable<bool> Connection<Stream>::wait_until(Clock::time_point deadline) {
  return sleeper_.until(deadline, this->shared_from_this());
}

// Closes the socket at the deadline, unless guard_ is cancelled before.
template <class Stream>
void Connection<Stream>::guard_until(Clock::time_point deadline) {
  guard_.expires_at(deadline);
  guard_.async_wait([self = this->shared_from_this()](error_code error) {
    if (!error) self->close_now();
  });
}

template <class Stream>
awaitable<bool> Connection<Stream>::handshake() {
  if constexpr (std::is_same_v<Stream, TlsStream>) {
    guard_until(Clock::now() + options_.header_timeout);
    error_code error;
    co_await stream_.async_handshake(asio::ssl::stream_base::server, asio::redirect_error(asio::use_awaitable, error));
    guard_.cancel();
    co_return !error;
  }
  co_return true;
}

template <class Stream>
awaitable<void> Connection<Stream>::serve() {
  auto self = this->shared_from_this();
  try {
    if (co_await handshake()) {
      while (co_await serve_one()) {
      }
      co_await close();
    }
  } catch (const std::exception& error) {
    log_error("a connection failed", {{"peer", peer_}, {"error", error.what()}});
  }
  close_now();
}

// True: the connection goes on.
template <class Stream>
awaitable<bool> Connection<Stream>::serve_one() {
  Parser parser(options_.limits);
  if (!co_await read_header(parser)) co_return false;
  parser.head().peer = peer_;
  parser.head().id = request_id(parser.head().header("x-request-id"));
  if (parser.state() == Parser::State::kFailed) {
    co_return co_await refuse(parser, parser.failure(), parser.header_too_large() ? 431 : 0);
  }
  if (std::optional<Response> refused = context_.handler.admit(parser.head())) {
    ReplyForm form = form_of(parser);
    form.keep_alive = form.keep_alive && parser.state() == Parser::State::kDone;
    co_return co_await send(parser.head(), 0, Clock::now(), write_reply(*std::move(refused), form));
  }
  if (!co_await read_body(parser)) co_return false;
  if (parser.state() == Parser::State::kFailed) co_return co_await refuse(parser, parser.failure(), 0);
  Request request;
  absl::StatusOr<std::string> body = parser.take_body();
  if (!body.ok()) co_return co_await refuse(parser, body.status(), 0);
  request.body = *std::move(body);
  co_return co_await answer(parser, std::move(request));
}

// True: a header is there, or what should be one has failed.
template <class Stream>
awaitable<bool> Connection<Stream>::read_header(Parser& parser) {
  bool begun = !inbox_.empty();
  auto deadline = Clock::now() + (begun ? options_.header_timeout : options_.idle_timeout);
  for (;;) {
    if (!inbox_.empty()) {
      if (!begun) deadline = Clock::now() + options_.header_timeout;
      begun = true;
      feed(parser);
      if (parser.state() != Parser::State::kHeader) co_return true;
    }
    if (ended_) co_return false;
    if (last_call_ && !begun) deadline = std::min(deadline, *last_call_);
    start_read();
    if (co_await wait_until(deadline)) continue;
    if (!inbox_.empty() || begun) {
      co_await refuse(parser, absl::DeadlineExceededError("the request's header took too long"), 408);
    }
    co_return false;
  }
}

// True: the body is whole, or has failed.
template <class Stream>
awaitable<bool> Connection<Stream>::read_body(Parser& parser) {
  if (parser.state() == Parser::State::kDone) co_return true;
  if (inbox_.empty() && parser.expects_continue()) {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    if (!co_await write(asio::buffer(kContinue))) co_return false;
  }
  const auto last = Clock::now() + kSlowestBody * options_.body_timeout;
  auto deadline = Clock::now() + options_.body_timeout;
  for (;;) {
    if (!inbox_.empty()) {
      const size_t before = inbox_.size();
      feed(parser);
      if (parser.state() != Parser::State::kBody) co_return true;
      if (inbox_.size() < before) deadline = std::min(last, Clock::now() + options_.body_timeout);
    }
    if (ended_) co_return false;
    start_read();
    if (co_await wait_until(deadline)) continue;
    co_await refuse(parser, absl::DeadlineExceededError("the request's body took too long"), 408);
    co_return false;
  }
}

template <class Stream>
ReplyForm Connection<Stream>::form_of(Parser& parser) const {
  ReplyForm form;
  form.head_only = parser.head().method == "HEAD";
  form.http10 = parser.head().http10;
  form.keep_alive = parser.keep_alive();
  form.gzip = accepts_gzip(parser.head().header("accept-encoding"));
  form.compress_from_bytes = options_.compress_from_bytes;
  form.request_id = parser.head().id;
  return form;
}

// A request that can't go on: what follows on this connection can't be made out, so it ends here.
template <class Stream>
awaitable<bool> Connection<Stream>::refuse(Parser& parser, absl::Status status, int http_status) {
  Response response = context_.handler.refuse(parser.head(), status);
  if (http_status != 0) response.status = http_status;
  ReplyForm form = form_of(parser);
  form.keep_alive = parser.keep_alive() && parser.state() == Parser::State::kDone;
  co_return co_await send(parser.head(), parser.body_bytes(), Clock::now(), write_reply(std::move(response), form));
}

// The reply's bytes are made on the thread that calls, then handed to the strand. A reply may come long after the
// connection has gone, so nothing here may hold the strand but through the connection.
template <class Stream>
Respond Connection<Stream>::responder(std::shared_ptr<Pending> pending) {
  return [weak = this->weak_from_this(), pending](Response response) {
    if (pending->answered.test_and_set()) return;
    auto reply = std::make_shared<WireReply>(write_reply(std::move(response), pending->form));
    const std::shared_ptr<Connection> self = weak.lock();
    if (!self) return;
    asio::dispatch(self->strand_, [self, pending, reply] {
      pending->reply = std::move(*reply);
      self->sleeper_.wake();
    });
  };
}

// Work for a connection that has gone is dropped.
template <class Stream>
Executor Connection<Stream>::executor() {
  return [weak = this->weak_from_this()](Work work) {
    if (const std::shared_ptr<Connection> self = weak.lock()) {
      asio::post(self->strand_, [self, work = std::move(work)] { work(); });
    }
  };
}

template <class Stream>
awaitable<bool> Connection<Stream>::answer(Parser& parser, Request request) {
  const RequestHead head = parser.head();
  const size_t bytes_in = request.body.size();
  const auto received = Clock::now();
  const auto deadline = received + options_.request_timeout;
  std::stop_source stop;
  auto pending = std::make_shared<Pending>(form_of(parser));
  request.head = head;
  request.received = received;
  request.deadline = deadline;
  request.cancelled = stop.get_token();
  request.executor = executor();
  meters().requests.Increment();
  context_.handler.handle(std::move(request), responder(pending));
  const auto gone = [&] { return ended_ && !pending->answered.test(); };
  while (!pending->reply && !gone()) {
    start_read();
    if (co_await wait_until(deadline + kGrace)) continue;
    if (!pending->answered.test_and_set()) {
      pending->reply = write_reply(
          context_.handler.refuse(head, absl::DeadlineExceededError("the request took too long")), pending->form);
    }
    stop.request_stop();
  }
  meters().requests.Decrement();
  if (pending->reply) co_return co_await send(head, bytes_in, received, *std::move(pending->reply));
  pending->answered.test_and_set();
  stop.request_stop();
  Exchange exchange{head};
  exchange.status = 499;
  exchange.cause = "cancelled";
  exchange.bytes_in = bytes_in;
  exchange.total = Clock::now() - received;
  context_.handler.finished(exchange);
  co_return false;
}

// What the socket takes without waiting: most replies whole, and no timer is set for them.
template <class Stream>
size_t Connection<Stream>::write_at_once(asio::const_buffer bytes) {
  if constexpr (std::is_same_v<Stream, Socket>) {
    error_code ignored;  // what stays unwritten meets it again
    return stream_.write_some(asio::buffer(bytes, kWriteBytes), ignored);
  }
  return 0;
}

// False: the bytes could not be written, or not in time.
template <class Stream>
awaitable<bool> Connection<Stream>::write(asio::const_buffer bytes) {
  bytes += write_at_once(bytes);
  while (bytes.size() > 0) {
    guard_until(Clock::now() + options_.body_timeout);
    error_code error;
    const size_t written = co_await asio::async_write(stream_, asio::buffer(bytes, kWriteBytes),
                                                      asio::redirect_error(asio::use_awaitable, error));
    guard_.cancel();
    if (error) co_return false;
    bytes += written;
  }
  co_return true;
}

// Writes the reply and tells the handler. True: the connection goes on.
template <class Stream>
awaitable<bool> Connection<Stream>::send(const RequestHead& head, size_t bytes_in, Clock::time_point received,
                                         WireReply reply) {
  const auto begin = Clock::now();
  if (last_call_) make_last(&reply);
  // A small reply goes out in one piece.
  const bool small = reply.header.size() + reply.body.size() <= kOnePiece;
  if (small) reply.header.append(reply.body);
  bool written = co_await write(asio::buffer(reply.header));
  if (written && !small) written = co_await write(asio::buffer(reply.body));
  Exchange exchange{head};
  exchange.status = reply.status;
  exchange.bytes_in = bytes_in;
  exchange.bytes_out = reply.header.size() + (small ? 0 : reply.body.size());
  exchange.tokens = reply.tokens;
  exchange.truncated = reply.truncated;
  exchange.cause = reply.cause;
  exchange.write = Clock::now() - begin;
  exchange.total = Clock::now() - received;
  context_.handler.finished(exchange);
  const bool goes_on = written && reply.keep_alive;
  co_return goes_on;
}

// Closing a socket with unread bytes resets it, and the client may lose the reply: so read until it has closed too.
template <class Stream>
awaitable<void> Connection<Stream>::close() {
  const auto deadline = Clock::now() + kLinger;
  if constexpr (std::is_same_v<Stream, TlsStream>) {
    if (!ended_) {
      guard_until(deadline);
      error_code ignored;
      co_await stream_.async_shutdown(asio::redirect_error(asio::use_awaitable, ignored));
      guard_.cancel();
    }
  }
  error_code ignored;
  socket_of(stream_).shutdown(asio::socket_base::shutdown_send, ignored);
  while (!ended_) {
    inbox_.clear();
    start_read();
    if (!co_await wait_until(deadline)) break;
  }
}

}  // namespace

void serve_connection(ConnectionContext& context, int native, std::string peer, asio::ssl::context* tls) {
  const auto strand = asio::make_strand(context.io);
  Socket socket(strand, asio::generic::stream_protocol(AF_INET, SOCK_STREAM), native);
  const auto begin = [&](auto connection) {
    if (context.connections.add(connection)) connection->start();
  };
  if (tls != nullptr) {
    begin(std::make_shared<Connection<TlsStream>>(context, std::move(socket), std::move(peer), *tls));
  } else {
    begin(std::make_shared<Connection<Socket>>(context, std::move(socket), std::move(peer)));
  }
}

}  // namespace bouquet::ivy::http
