// The CPU's buffers: cut one after the other from large regions on 2 MB pages, for weights are streamed once a forward
// and with 4 KB pages a tenth to a fifth of that time goes into address translation. A region goes back to the system
// when the last of its buffers is freed; nothing in it is handed out twice, so buffers are zeroed as the system does
// it.
#pragma once

#include <memory>
#include <mutex>

#include "rose/device/device.h"

namespace bouquet::rose::cpu {

class Region;

// Thread-safe; buffers may outlive it.
class Memory {
 public:
  Memory();
  ~Memory();
  absl::StatusOr<std::unique_ptr<Buffer>> allocate(size_t bytes);

 private:
  std::mutex mutex_;
  std::shared_ptr<Region> current_;  // where the next small buffer is cut; guarded by mutex_
};

}  // namespace bouquet::rose::cpu
