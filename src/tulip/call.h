// One chunk on its way through Tulip: its sequences may run in different batches, and the caller hears once, when the
// last of them is done. Its sequences may be finished and abandoned from different threads.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "tulip/client.h"

namespace bouquet::tulip {

class Call {
 public:
  Call(Chunk chunk, CallOptions options, Done done, int32_t row_size);
  // A call that is dropped unanswered answers UNAVAILABLE: nothing accepted is lost.
  ~Call();

  const Chunk& chunk() const { return chunk_; }
  int32_t row_size() const { return row_size_; }
  // OK while the answer is still wanted; DEADLINE_EXCEEDED or CANCELLED when it is not.
  absl::Status wanted(Clock::time_point now) const;

  // Each sequence is finished exactly once, by one of these two. The last one answers.
  // `values`: the sequence's rows as the engine gave them, `row_size` wide.
  void finish(int32_t index, std::span<const float> values, StageTimes times, Load load);
  void fail(int32_t index, absl::Status status, Load load);
  // Ends the whole call now; later finish() and fail() are ignored.
  void abandon(absl::Status status);

 private:
  template <class Record>
  void settle_one(Load load, Record record);
  const Chunk chunk_;
  const CallOptions options_;
  const int32_t row_size_;          // values a row of the engine
  const int32_t width_;             // values a row of the reply: maybe fewer
  std::vector<int64_t> first_row_;  // [sequences] of the reply; fixed
  std::mutex mutex_;                // guards what follows
  Done done_;                       // null once it is somebody's to call
  int32_t open_;                    // sequences not finished
  Reply reply_;                     // of the last to finish once done_ is null
};

}  // namespace bouquet::tulip
