// Where an evaluation's vectors go instead of a file: the queries' into memory, the documents' into the ranking.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cli/embed/vector_writer.h"
#include "cli/eval/ranking.h"

namespace bouquet::cli {

struct RowForm {
  bool unit = true;    // scaled to unit length, so that dot products are cosines
  size_t leading = 0;  // dimensions that are kept, before scaling; 0: all
  size_t width = 0;    // that rows have, once cut; 0: whatever the first has
};

class RowTaker : public VectorWriter {
 public:
  explicit RowTaker(RowForm form) : form_(form) {}
  int64_t rows() const override { return rows_; }
  absl::Status checkpoint() override { return absl::OkStatus(); }
  absl::Status finish() override { return absl::OkStatus(); }
  // INVALID_ARGUMENT where a row has fewer dimensions than are to be kept, INTERNAL where rows differ.
  absl::Status write(std::span<const float> row) override;
  size_t width() const { return form_.width; }

 protected:
  virtual void take(std::span<const float> row) = 0;

 private:
  RowForm form_;
  int64_t rows_ = 0;
};

class Collector : public RowTaker {
 public:
  using RowTaker::RowTaker;
  std::vector<float> values;  // [rows][width]

 private:
  void take(std::span<const float> row) override { values.insert(values.end(), row.begin(), row.end()); }
};

class Ranker : public RowTaker {
 public:
  Ranker(RowForm form, Ranking* ranking) : RowTaker(form), ranking_(ranking) {}

 private:
  void take(std::span<const float> row) override { ranking_->add(row); }
  Ranking* ranking_;
};

}  // namespace bouquet::cli
