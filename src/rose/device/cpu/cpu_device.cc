// Streams as leader threads, events as generation flags, graphs as lists of works.
#include "rose/device/cpu/cpu_device.h"

#include <pthread.h>

#include <condition_variable>
#include <cstring>

#include "fmt/format.h"
#include "rose/device/cpu/isa.h"

namespace bouquet::rose::cpu {
namespace {

constexpr int kLeaderSpins = 2000;  // about 50 us

class CpuEvent : public Event {
 public:
  bool ready() const override { return state_->done.load(std::memory_order_acquire) != 0; }

  absl::Status wait() override {
    if (!ready()) {
      std::unique_lock lock(state_->mutex);
      state_->changed.wait(lock, [this] { return ready(); });
    }
    return absl::OkStatus();
  }

  // What the stream holds of the event: it may still be setting it when its waiter has already gone on.
  struct State {
    std::atomic<uint32_t> done{0};
    std::mutex mutex;
    std::condition_variable changed;
    void set() {
      {
        std::lock_guard lock(mutex);
        done.store(1, std::memory_order_release);
      }
      changed.notify_all();
    }
  };

  std::shared_ptr<State> restart() {
    state_ = std::make_shared<State>();
    return state_;
  }

 private:
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

class CpuGraph : public Graph {
 public:
  explicit CpuGraph(std::vector<Work> works) : works_(std::move(works)) {}
  size_t launches() const override { return works_.size(); }
  std::span<const Work> works() const { return works_; }

 private:
  std::vector<Work> works_;
};

}  // namespace

std::string CpuDevice::name() const { return fmt::format("cpu ({}, {} threads)", processor_name(), options_.threads); }

std::unique_ptr<Stream> CpuDevice::create_stream() {
  return std::make_unique<CpuStream>(options_.threads, options_.processors);
}

std::unique_ptr<Event> CpuDevice::create_event() { return std::make_unique<CpuEvent>(); }

CpuStream::CpuStream(int threads, std::vector<int> processors)
    : leader_([this, threads, processors = std::move(processors)]() mutable { lead(threads, std::move(processors)); }) {
}

CpuStream::~CpuStream() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  change(signal_);
  leader_.join();
}

void CpuStream::enqueue(Item item) {
  {
    std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
  }
  change(signal_);
}

void CpuStream::launch(Work work) {
  if (capturing_) {
    recording_.push_back(std::move(work));
    return;
  }
  enqueue([work = std::move(work)](Team& team) { team.run({&work, 1}); });
}

void CpuStream::copy(void* to, const void* from, size_t bytes) {
  if (capturing_) {
    launch([=](Worker& worker) {
      if (worker.index == 0) std::memcpy(to, from, bytes);
    });
    return;
  }
  enqueue([=](Team&) { std::memcpy(to, from, bytes); });
}

void CpuStream::record(Event& event) {
  enqueue([state = static_cast<CpuEvent&>(event).restart()](Team&) { state->set(); });
}

void CpuStream::begin_capture() { capturing_ = true; }

std::unique_ptr<Graph> CpuStream::end_capture() {
  capturing_ = false;
  return std::make_unique<CpuGraph>(std::exchange(recording_, {}));
}

void CpuStream::replay(std::shared_ptr<const Graph> graph) {
  enqueue([graph = std::move(graph)](Team& team) { team.run(static_cast<const CpuGraph&>(*graph).works()); });
}

bool CpuStream::take(Item* item) {
  for (;;) {
    const uint32_t seen = signal_.load(std::memory_order_acquire);
    {
      std::lock_guard lock(mutex_);
      if (!items_.empty()) {
        *item = std::move(items_.front());
        items_.pop_front();
        return true;
      }
      if (closing_) return false;
    }
    wait_for_change(signal_, seen, kLeaderSpins);
  }
}

void CpuStream::lead(int threads, std::vector<int> processors) {
  pthread_setname_np(pthread_self(), "rose-0");
  Team team(threads, std::move(processors));
  team.pin_caller();
  for (Item item; take(&item); item = nullptr) item(team);
}

}  // namespace bouquet::rose::cpu
