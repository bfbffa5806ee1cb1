// Calls over one channel, and a watch of the peer's health over the same.
#include "tulip/rpc/client.h"

#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <utility>

#include "base/status.h"
#include "base/trace_context.h"
#include "fmt/format.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/generic/generic_stub.h"
#include "tulip/rpc/byte_buffer.h"
#include "tulip/rpc/grpc_log.h"
#include "tulip/rpc/health_watch.h"
#include "tulip/rpc/status.h"

namespace bouquet::tulip {
namespace {

constexpr char kDescribe[] = "/bouquet.v1.Tulip/Describe";
constexpr char kRun[] = "/bouquet.v1.Tulip/Run";
constexpr int kFirstReconnectMs = 100, kLastReconnectMs = 2000;

grpc::ChannelArguments channel_arguments(const RpcClientOptions& options) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kFirstReconnectMs);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kLastReconnectMs);  // also how long an attempt may take
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kLastReconnectMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, static_cast<int>(options.ping_after.count()));
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, static_cast<int>(options.ping_timeout.count()));
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);  // no limit
  if (!options.server_name.empty()) arguments.SetSslTargetNameOverride(options.server_name);
  return arguments;
}

// gRPC 1.51 ends its callback threads with the last channel that used them, and falls over when that one ends on such a
// thread, as it may here: what a call has left of its channel goes with the call. So one channel stays for ever.
void keep_callback_threads() {
  struct Call {
    grpc::ClientContext context;
    grpc::ByteBuffer request = byte_buffer_of(std::string()), reply;
  };
  [[maybe_unused]] static const auto* const kept = [] {
    auto* const stub = new grpc::GenericStub(grpc::CreateChannel("unix:nowhere", grpc::InsecureChannelCredentials()));
    auto* const call = new Call;
    call->context.set_deadline(std::chrono::system_clock::now());
    stub->UnaryCall(&call->context, kDescribe, {}, &call->request, &call->reply, [call](grpc::Status) { delete call; });
    return stub;
  }();
}

// A channel, and what is known of the peer through it.
struct Link {
  Link(const std::string& address, std::shared_ptr<grpc::ChannelCredentials> its_credentials,
       const RpcClientOptions& options)
      : Link(grpc::CreateCustomChannel(address, its_credentials, channel_arguments(options)), address) {
    credentials = std::move(its_credentials);
  }
  Link(std::shared_ptr<grpc::Channel> channel, const std::string& address) : stub(channel), health(channel, address) {}

  std::shared_ptr<grpc::ChannelCredentials> credentials;
  grpc::GenericStub stub;
  const HealthWatch health;
};

// One Run call, alive until gRPC has told its end.
struct RunCall {
  const std::shared_ptr<Link> link;
  grpc::ClientContext context;
  grpc::ByteBuffer request, reply;
  Done done;
  std::optional<std::stop_callback<std::function<void()>>> cancel;

  void finish(const grpc::Status& status) {
    cancel.reset();
    if (!status.ok()) return done(from_grpc(status, context));
    absl::StatusOr<Reply> parsed = parse_reply(reply);
    if (parsed.ok()) return done(std::move(parsed));
    done(absl::UnavailableError(
        fmt::format("not a reply of this protocol: {}", std::string(parsed.status().message()))));
  }
};

class RpcClient : public Client {
 public:
  RpcClient(std::string address, std::shared_ptr<const ChannelSecurity> security, RpcClientOptions options)
      : address_(std::move(address)),
        security_(std::move(security)),
        options_(std::move(options)),
        newest_(std::make_shared<Link>(address_, security_->credentials(), options_)) {}

  absl::StatusOr<ModelCard> describe() override {
    const std::shared_ptr<Link> link = this->link();
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + options_.describe_timeout);
    const grpc::ByteBuffer request = byte_buffer_of(std::string());
    grpc::ByteBuffer reply;
    std::promise<grpc::Status> finished;
    link->stub.UnaryCall(&context, kDescribe, {}, &request, &reply,
                         [&finished](grpc::Status status) { finished.set_value(std::move(status)); });
    const grpc::Status status = finished.get_future().get();
    if (!status.ok()) return from_grpc(status, context);
    return parse_card(reply);
  }

  void run(Chunk chunk, CallOptions options, Done done) override {
    auto* const call = new RunCall{.link = link(), .done = std::move(done)};
    if (!chunk.traceparent.empty()) call->context.AddMetadata(std::string(kTraceParent), chunk.traceparent);
    call->request = byte_buffer_of(to_segments(std::move(chunk)));
    if (options.deadline != Clock::time_point::max()) call->context.set_deadline(to_system(options.deadline));
    if (options.cancelled.stop_possible()) {
      call->cancel.emplace(options.cancelled, [call] { call->context.TryCancel(); });
    }
    call->link->stub.UnaryCall(&call->context, kRun, {}, &call->request, &call->reply, [call](grpc::Status status) {
      call->finish(status);
      delete call;
    });
  }

  bool ready() const override { return link()->health.serving(); }

 private:
  // The one with the newest certificates, or the one before while only that serves.
  std::shared_ptr<Link> link() const {
    std::lock_guard lock(mutex_);
    if (auto credentials = security_->credentials(); credentials != newest_->credentials) {
      if (!older_ || newest_->health.serving()) older_ = std::move(newest_);
      newest_ = std::make_shared<Link>(address_, std::move(credentials), options_);
    }
    if (older_ && newest_->health.serving()) older_.reset();
    return older_ && older_->health.serving() ? older_ : newest_;
  }

  const std::string address_;
  const std::shared_ptr<const ChannelSecurity> security_;
  const RpcClientOptions options_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<Link> newest_, older_;  // under mutex_; the older one may be null
};

}  // namespace

absl::StatusOr<std::shared_ptr<Client>> make_rpc_client(const std::string& address, const RpcClientOptions& options) {
  ASSIGN_OR_RETURN(const auto security, ChannelSecurity::create(options.tls));
  return make_rpc_client(address, security, options);
}

std::shared_ptr<Client> make_rpc_client(const std::string& address, std::shared_ptr<const ChannelSecurity> security,
                                        const RpcClientOptions& options) {
  take_over_grpc_log();
  keep_callback_threads();
  return std::make_shared<RpcClient>(address, std::move(security), options);
}

}  // namespace bouquet::tulip
