// The contract every device keeps: work put on a stream runs later, asynchronously and in order; capture records what
// is enqueued instead of running it; replay enqueues the recording again with one call. cpu/cpu_device.h implements it.
//
//   auto stream = device.create_stream();
//   stream->copy(device_ids, host_ids, bytes);
//   auto done = device.create_event();
//   stream->record(*done);
//   RETURN_IF_ERROR(done->wait());
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace bouquet::rose {

// Device memory, 64-byte aligned, freed with the object. Zeroed when allocated.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual void* data() const = 0;
  virtual size_t size() const = 0;  // bytes
};

// A point in a stream's order. It may be recorded again once it has been waited for.
class Event {
 public:
  virtual ~Event() = default;
  virtual bool ready() const = 0;
  // Blocks until everything before the point is done. An error means the device failed on the way.
  virtual absl::Status wait() = 0;
};

// A recorded sequence of launches. Immutable; the memory its launches use must outlive it.
class Graph {
 public:
  virtual ~Graph() = default;
  virtual size_t launches() const = 0;
};

// One caller at a time. Nothing here blocks on the work itself.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual void copy(void* to, const void* from, size_t bytes) = 0;  // host memory must stay valid until it has run
  virtual void record(Event& event) = 0;
  virtual void begin_capture() = 0;
  virtual std::unique_ptr<Graph> end_capture() = 0;
  virtual void replay(std::shared_ptr<const Graph> graph) = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;                                        // as logs and /info show it
  virtual absl::StatusOr<std::unique_ptr<Buffer>> allocate(size_t bytes) = 0;  // RESOURCE_EXHAUSTED when there is none
  virtual absl::StatusOr<std::unique_ptr<Buffer>> allocate_host(size_t bytes) = 0;  // page-locked where that exists
  virtual std::unique_ptr<Stream> create_stream() = 0;
  virtual std::unique_ptr<Event> create_event() = 0;
};

}  // namespace bouquet::rose
