// A stream of statuses; when it ends, another after a pause, until the watch is stopped.
#include "tulip/rpc/health_watch.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "base/log.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/alarm.h"

namespace bouquet::tulip {

namespace health = grpc::health::v1;

constexpr std::chrono::milliseconds kPause{200};  // before the next stream

struct HealthWatch::State {
  State(std::shared_ptr<grpc::Channel> channel, std::string its_peer)
      : stub(health::Health::NewStub(channel)), peer(std::move(its_peer)) {}

  const std::unique_ptr<health::Health::Stub> stub;
  const std::string peer;
  std::atomic<bool> serving{false};
  bool has_told = false;  // why there is no status, since there last was one; the streams' alone, one after the other
  std::mutex mutex;
  bool stopped = false;          // under mutex, like what follows
  std::function<void()> cancel;  // of what runs, a stream or a pause
};

// One stream; deletes itself when gRPC is done with it.
class HealthWatch::Stream : public grpc::ClientReadReactor<health::HealthCheckResponse> {
 public:
  static void start(const std::shared_ptr<State>& state) {
    std::lock_guard lock(state->mutex);
    if (state->stopped) return;
    auto* const stream = new Stream(state);
    state->cancel = [stream] { stream->context_.TryCancel(); };
    stream->context_.set_wait_for_ready(true);
    state->stub->async()->Watch(&stream->context_, &stream->request_, stream);
    stream->StartRead(&stream->response_);
    stream->StartCall();
  }

 private:
  explicit Stream(std::shared_ptr<State> state) : state_(std::move(state)) {}

  void OnReadDone(bool ok) override {
    state_->serving = ok && response_.status() == health::HealthCheckResponse::SERVING;
    if (ok) state_->has_told = false;
    if (ok) StartRead(&response_);
  }
  void OnDone(const grpc::Status&) override;

  const std::shared_ptr<State> state_;
  grpc::ClientContext context_;
  const health::HealthCheckRequest request_;
  health::HealthCheckResponse response_;
};

// Time before the next stream; deletes itself.
class HealthWatch::Pause {
 public:
  static void start(const std::shared_ptr<State>& state) {
    std::lock_guard lock(state->mutex);
    if (state->stopped) return;
    auto* const pause = new Pause;
    state->cancel = [pause] { pause->alarm_.Cancel(); };
    pause->alarm_.Set(std::chrono::system_clock::now() + kPause, [pause, state](bool) {
      Stream::start(state);
      delete pause;
    });
  }

 private:
  grpc::Alarm alarm_;
};

void HealthWatch::Stream::OnDone(const grpc::Status& status) {
  state_->serving = false;
  const bool stopped = status.error_code() == grpc::StatusCode::CANCELLED;
  if (!stopped && !std::exchange(state_->has_told, true)) {
    log_warn("a replica's health is not known", {{"peer", state_->peer}, {"reason", status.error_message()}});
  }
  Pause::start(state_);  // from now on nobody cancels this one
  delete this;
}

HealthWatch::HealthWatch(std::shared_ptr<grpc::Channel> channel, std::string peer)
    : state_(std::make_shared<State>(std::move(channel), std::move(peer))) {
  Stream::start(state_);
}

HealthWatch::~HealthWatch() {
  std::lock_guard lock(state_->mutex);
  state_->stopped = true;
  state_->cancel();  // gRPC calls back on a thread of its own, never from here
}

bool HealthWatch::serving() const { return state_->serving; }

}  // namespace bouquet::tulip
