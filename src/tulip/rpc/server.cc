// Handlers copy a chunk into the service and return; the service's threads answer.
#include "tulip/rpc/server.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "absl/strings/numbers.h"
#include "base/log.h"
#include "base/status.h"
#include "base/trace_context.h"
#include "base/unix_socket.h"
#include "bouquet/v1/tulip.grpc.pb.h"
#include "fmt/format.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "tulip/rpc/byte_buffer.h"
#include "tulip/rpc/grpc_log.h"
#include "tulip/rpc/status.h"

namespace bouquet::tulip {
namespace {

constexpr int kLargestMessage = 64 << 20;  // bytes; a chunk of 16K tokens has 80 KB
constexpr std::chrono::milliseconds kHealthPeriod{100};
constexpr std::chrono::milliseconds kLastWrites{10'000};  // of replies, to whoever still reads them
constexpr int kShortestPingPauseMs = 200;                 // between a client's pings

// How many calls are open.
class OpenCalls {
 public:
  void begin() {
    std::lock_guard lock(mutex_);
    ++count_;
  }
  void end() {
    std::lock_guard lock(mutex_);
    if (--count_ == 0) none_.notify_all();
  }
  // Returns when there is none, or after `most`.
  void wait(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    none_.wait_for(lock, most, [this] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable none_;
  int64_t count_ = 0;  // under mutex_
};

// One Run call. gRPC tells it when all is over, its reply written.
class RunCall : public grpc::ServerUnaryReactor {
 public:
  RunCall(OpenCalls& open, grpc::CallbackServerContext* context, grpc::ByteBuffer* reply)
      : open_(open), context_(context), reply_(reply) {
    open_.begin();
  }

  std::stop_token cancelled() const { return stop_.get_token(); }

  void answer(absl::StatusOr<Reply> reply) {
    if (reply.ok()) *reply_ = byte_buffer_of(to_segments(*std::move(reply)));
    Finish(to_grpc(reply.status(), context_));
  }

 private:
  void OnCancel() override { stop_.request_stop(); }
  void OnDone() override {
    OpenCalls& open = open_;
    delete this;
    open.end();
  }

  OpenCalls& open_;
  grpc::CallbackServerContext* const context_;
  grpc::ByteBuffer* const reply_;
  std::stop_source stop_;
};

using RawService = v1::Tulip::WithRawCallbackMethod_Describe<v1::Tulip::WithRawCallbackMethod_Run<v1::Tulip::Service>>;

// What came beside the chunk by way of tracing.
void note_trace(const grpc::CallbackServerContext& context, Chunk* chunk) {
  const auto found = context.client_metadata().find(grpc::string_ref(kTraceParent.data(), kTraceParent.size()));
  if (found == context.client_metadata().end()) return;
  const std::string_view trace(found->second.data(), found->second.size());
  const std::string_view trace_id = trace_id_of(trace);
  if (trace_id.empty()) return;
  chunk->traceparent = trace;
  log_debug("chunk", {{"request", chunk->request_id},
                      {"trace_id", std::string(trace_id)},
                      {"sequences", std::to_string(chunk->lengths.size())},
                      {"tokens", std::to_string(chunk->ids.size())}});
}

class Handlers : public RawService {
 public:
  explicit Handlers(std::shared_ptr<tulip::Service> service) : service_(std::move(service)) {}

  grpc::ServerUnaryReactor* Describe(grpc::CallbackServerContext* context, const grpc::ByteBuffer*,
                                     grpc::ByteBuffer* reply) override {
    *reply = byte_buffer_of(serialize(service_->card()));
    grpc::ServerUnaryReactor* const call = context->DefaultReactor();
    call->Finish(grpc::Status::OK);
    return call;
  }

  grpc::ServerUnaryReactor* Run(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                grpc::ByteBuffer* reply) override {
    auto* const call = new RunCall(open_, context, reply);
    absl::StatusOr<Chunk> chunk = parse_chunk(*request);
    if (chunk.ok()) {
      note_trace(*context, &*chunk);
      service_->run(*std::move(chunk), {to_steady(context->deadline()), call->cancelled()},
                    [call](absl::StatusOr<Reply> answer) { call->answer(std::move(answer)); });
    } else {
      call->answer(chunk.status());
    }
    return call;
  }

  OpenCalls& open_calls() { return open_; }

 private:
  const std::shared_ptr<tulip::Service> service_;
  OpenCalls open_;
};

// "host:0" with the port that was found.
std::string with_port(const std::string& address, int port) {
  const size_t colon = address.rfind(':');
  return address.starts_with("unix:") ? address : fmt::format("{}:{}", address.substr(0, colon), port);
}

absl::Status check_port(const std::string& address) {
  const size_t colon = address.rfind(':');
  int port = 0;
  if (colon != std::string::npos && colon > 0 && absl::SimpleAtoi(address.substr(colon + 1), &port) && port >= 0 &&
      port <= 65535) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      fmt::format("{} is nowhere to listen: it should be host:port, such as 0.0.0.0:9090, or unix:/path", address));
}

// gRPC itself takes a unix socket's path from whoever has it.
absl::Status check_free(const std::string& address) {
  constexpr std::string_view kUnix = "unix:", kAuthority = "//";  // unix:path, unix:///path
  if (!address.starts_with(kUnix)) return check_port(address);
  std::string_view path = std::string_view(address).substr(kUnix.size());
  if (path.starts_with(kAuthority)) path.remove_prefix(kAuthority.size());
  return free_socket_path(path);
}

absl::Status cannot_listen(const std::string& address) {
  return absl::UnavailableError(
      fmt::format("cannot listen on {}: it is taken, not allowed, or no address of this machine", address));
}

}  // namespace

struct RpcServer::Impl {
  Impl(RpcServerOptions its_options, std::shared_ptr<Service> its_service)
      : options(std::move(its_options)), service(std::move(its_service)), handlers(service) {}

  absl::Status listen() {
    for (const std::string& address : options.listen) RETURN_IF_ERROR(check_free(address));
    ASSIGN_OR_RETURN(security, ServerSecurity::create(options.tls));
    take_over_grpc_log();
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    grpc::ServerBuilder builder;
    builder.RegisterService(&handlers);
    builder.SetMaxReceiveMessageSize(kLargestMessage);
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // two servers on one port are a mistake
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kShortestPingPauseMs);
    std::vector<int> ports(options.listen.size());
    for (size_t i = 0; i < ports.size(); ++i) {
      builder.AddListeningPort(options.listen[i], security->credentials(), &ports[i]);
    }
    server = builder.BuildAndStart();
    const auto failed = std::find(ports.begin(), ports.end(), 0);
    if (!server || failed != ports.end()) {
      return cannot_listen(failed == ports.end() ? options.listen.front() : options.listen[failed - ports.begin()]);
    }
    for (size_t i = 0; i < ports.size(); ++i) addresses.push_back(with_port(options.listen[i], ports[i]));
    server->GetHealthCheckService()->SetServingStatus(service->ready());
    return absl::OkStatus();
  }

  // Keeps health what the service says, until drain().
  void watch_health() {
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, kHealthPeriod, [this] { return leaving; })) {
      server->GetHealthCheckService()->SetServingStatus(service->ready());
    }
    server->GetHealthCheckService()->SetServingStatus(false);
  }

  bool ready() {
    std::lock_guard lock(mutex);
    return !leaving && service->ready();
  }

  void leave() {
    {
      std::lock_guard lock(mutex);
      leaving = true;
    }
    changed.notify_all();
    if (health.joinable()) health.join();
  }

  const RpcServerOptions options;
  const std::shared_ptr<Service> service;
  Handlers handlers;
  std::unique_ptr<ServerSecurity> security;
  std::unique_ptr<grpc::Server> server;
  std::vector<std::string> addresses;
  std::mutex mutex;
  std::condition_variable changed;
  bool leaving = false;  // under mutex
  std::thread health;
};

absl::StatusOr<std::unique_ptr<RpcServer>> RpcServer::start(RpcServerOptions options,
                                                            std::shared_ptr<Service> service) {
  auto impl = std::make_unique<Impl>(std::move(options), std::move(service));
  RETURN_IF_ERROR(impl->listen());
  impl->health = std::thread([at = impl.get()] { at->watch_health(); });
  return std::unique_ptr<RpcServer>(new RpcServer(std::move(impl)));
}

RpcServer::RpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

RpcServer::~RpcServer() { drain(); }

const std::vector<std::string>& RpcServer::addresses() const { return impl_->addresses; }

bool RpcServer::ready() const { return impl_->ready(); }

absl::StatusOr<Change> RpcServer::read_certificates() { return impl_->security->read_again(); }

void RpcServer::drain() {
  if (!impl_->server) return;
  impl_->leave();
  std::this_thread::sleep_for(impl_->options.leave_time);
  impl_->service->drain();
  impl_->handlers.open_calls().wait(kLastWrites);
  impl_->server->Shutdown(std::chrono::system_clock::now());  // also streams of health, which do not end by themselves
  impl_->server->Wait();
  impl_->server.reset();
}

}  // namespace bouquet::tulip
