// A stream of statuses; when it ends, or there is no connection for one, another after a pause, until the watch is
// stopped.
#include "tulip/rpc/health_watch.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "base/log.h"
#include "base/repeats.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/alarm.h"
#include "tulip/rpc/reasons.h"

namespace bouquet::tulip {

namespace health = grpc::health::v1;

constexpr std::chrono::milliseconds kPause{200};  // before the next stream

struct HealthWatch::State {
  State(std::shared_ptr<grpc::Channel> channel, std::string its_peer)
      : stub(health::Health::NewStub(channel)), peer(std::move(its_peer)) {}

  // Why there is no replica to be had.
  void tell(const std::string& reason, const std::string& detail = "") {
    if (!repeats.worth_saying(reason, Repeats::Clock::now())) return;
    log_warn("an upstream does not serve", {{"upstream", peer}, {"reason", reason}, {"detail", detail}});
  }

  const std::unique_ptr<health::Health::Stub> stub;
  const std::string peer;
  std::atomic<bool> serving{false};
  Repeats repeats;  // of why there is no status
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
    state->stub->async()->Watch(&stream->context_, &stream->request_, stream);
    stream->StartRead(&stream->response_);
    stream->StartCall();
  }

 private:
  explicit Stream(std::shared_ptr<State> state) : state_(std::move(state)) {}

  void OnReadDone(bool ok) override {
    const bool serving = ok && response_.status() == health::HealthCheckResponse::SERVING;
    state_->serving = serving;
    if (serving) state_->repeats.forget();
    if (!ok) return;
    if (!serving) state_->tell("it is there, but not ready");
    StartRead(&response_);
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
  const std::string& message = status.error_message();
  if (!stopped) state_->tell(plain_reason(message), message);
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
