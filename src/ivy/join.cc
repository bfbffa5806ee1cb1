// Copies rows to where their inputs stood in the request; the first failure decides.
#include "ivy/join.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace bouquet::ivy {

Join::Join(size_t inputs, std::vector<ChunkRange> chunks, std::string field, bool single,
           std::vector<int32_t> row_counts)
    : inputs_(inputs),
      chunks_(std::move(chunks)),
      field_(std::move(field)),
      single_(single),
      missing_(chunks_.size()),
      row_counts_(std::move(row_counts)) {
  if (row_counts_.empty()) return;
  first_rows_.assign(1, 0);
  for (const int32_t count : row_counts_) first_rows_.push_back(first_rows_.back() + static_cast<size_t>(count));
}

size_t Join::rows_before(size_t input) const { return first_rows_.empty() ? input : first_rows_[input]; }

std::string Join::name_of(size_t input) const { return single_ ? field_ : absl::StrCat(field_, "[", input, "]"); }

bool Join::add(size_t chunk, absl::StatusOr<tulip::Reply> reply) {
  if (!status_.ok()) return false;
  status_ = reply.ok() ? place(chunks_[chunk], *std::move(reply)) : reply.status();
  return !status_.ok() || --missing_ == 0;
}

absl::Status Join::place(const ChunkRange& range, tulip::Reply reply) {
  if (!reply.failures.empty()) {
    const tulip::SequenceFailure& failure = reply.failures.front();
    return about(name_of(range.first + static_cast<size_t>(failure.index)), failure.status);
  }
  if (row_size_ == 0) row_size_ = reply.row_size;
  const auto row = static_cast<size_t>(row_size_);
  const size_t first = rows_before(range.first), rows = rows_before(range.first + range.count) - first;
  if (row == 0 || reply.row_size != row_size_ || reply.values.size() != rows * row) {
    return absl::InternalError("a replica's reply has not the shape of its chunk");
  }
  times_.queue_us = std::max(times_.queue_us, reply.times.queue_us);
  times_.compute_us = std::max(times_.compute_us, reply.times.compute_us);
  if (range.count == inputs_) {
    values_ = std::move(reply.values);
    return absl::OkStatus();
  }
  values_.resize(rows_before(inputs_) * row);
  std::copy(reply.values.begin(), reply.values.end(), values_.begin() + static_cast<ptrdiff_t>(first * row));
  return absl::OkStatus();
}

}  // namespace bouquet::ivy
