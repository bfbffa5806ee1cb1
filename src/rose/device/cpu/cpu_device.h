// The CPU as a device: a stream is a thread that leads a team of workers and takes enqueued work in order. Eager work
// is one fork-join a launch; a replayed graph is one parallel region with a barrier after each launch.
#pragma once

#include <deque>
#include <mutex>

#include "rose/device/cpu/memory.h"
#include "rose/device/cpu/team.h"
#include "rose/device/device.h"

namespace bouquet::rose::cpu {

class CpuStream;

struct CpuOptions {
  int threads = 1;              // of a stream's team, its leader included
  std::vector<int> processors;  // where each thread is pinned, the leader first; empty: nowhere
};

class CpuDevice : public Device {
 public:
  explicit CpuDevice(CpuOptions options) : options_(std::move(options)) {}
  std::string name() const override;
  absl::StatusOr<std::unique_ptr<Buffer>> allocate(size_t bytes) override { return memory_.allocate(bytes); }
  absl::StatusOr<std::unique_ptr<Buffer>> allocate_host(size_t bytes) override { return allocate(bytes); }
  std::unique_ptr<Stream> create_stream() override;
  std::unique_ptr<Event> create_event() override;

 private:
  Memory memory_;
  CpuOptions options_;
};

class CpuStream : public Stream {
 public:
  CpuStream(int threads, std::vector<int> processors);
  ~CpuStream() override;  // runs what is still enqueued

  void copy(void* to, const void* from, size_t bytes) override;
  void record(Event& event) override;
  void begin_capture() override;
  std::unique_ptr<Graph> end_capture() override;
  void replay(std::shared_ptr<const Graph> graph) override;

  // Enqueues one work for the whole team, or records it while capturing. Kernels call this.
  void launch(Work work);

 private:
  using Item = std::function<void(Team&)>;
  void enqueue(Item item);
  void lead(int threads, std::vector<int> processors);
  bool take(Item* item);

  std::mutex mutex_;
  std::deque<Item> items_;                       // guarded by mutex_
  bool closing_ = false;                         // guarded by mutex_
  alignas(64) std::atomic<uint32_t> signal_{0};  // bumped after each change of the two above
  bool capturing_ = false;                       // the caller's own
  std::vector<Work> recording_;
  std::thread leader_;
};

}  // namespace bouquet::rose::cpu
