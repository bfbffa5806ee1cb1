// Puts the chunks' replies together by index. A plain state machine: the caller sees to it that one thread at a time
// is inside.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "ivy/split.h"
#include "tulip/client.h"

namespace bouquet::ivy {

class Join {
 public:
  // `field` names the inputs in errors; `single`: without an index. `row_counts`: rows of each input; empty: one each.
  Join(size_t inputs, std::vector<ChunkRange> chunks, std::string field, bool single,
       std::vector<int32_t> row_counts = {});

  // One chunk's outcome. True when the job is decided by it: all chunks are in, or the first of them failed.
  bool add(size_t chunk, absl::StatusOr<tulip::Reply> reply);

  const std::vector<ChunkRange>& chunks() const { return chunks_; }
  const absl::Status& status() const { return status_; }
  int32_t row_size() const { return row_size_; }
  const tulip::StageTimes& times() const { return times_; }  // the longest of the chunks
  std::vector<float> take_values() { return std::move(values_); }
  std::vector<int32_t> take_row_counts() { return std::move(row_counts_); }

 private:
  absl::Status place(const ChunkRange& range, tulip::Reply reply);
  std::string name_of(size_t input) const;
  size_t rows_before(size_t input) const;  // of all inputs up to that one

  const size_t inputs_;
  const std::vector<ChunkRange> chunks_;
  const std::string field_;
  const bool single_;
  size_t missing_;
  absl::Status status_;
  std::vector<int32_t> row_counts_;
  std::vector<size_t> first_rows_;  // [inputs + 1], or empty with row_counts_
  std::vector<float> values_;       // [rows of all inputs][row_size]
  int32_t row_size_ = 0;
  tulip::StageTimes times_;
};

}  // namespace bouquet::ivy
