// Vectors out, in order: JSON lines or a NumPy .npy file (float32, rows x dimensions). A file grows as PATH.part beside
// a small journal PATH.progress; both become PATH when complete. After an interruption the journal tells how many rows
// are safe: anything behind them is cut off, so that no row is lost, doubled or torn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "absl/status/statusor.h"

namespace bouquet::cli {

struct WriterOptions {
  std::filesystem::path path;  // "-": standard output, JSON lines, nothing to resume
  bool npy = false;
  int32_t dimensions = 0;
  std::string job;  // what decides the rows (inputs, model, options): a journal of another job is not resumed
};

class VectorWriter {
 public:
  virtual ~VectorWriter() = default;
  virtual int64_t rows() const = 0;  // written so far, those of an interrupted run included
  virtual absl::Status write(std::span<const float> row) = 0;
  // Makes what was written safe: after it, an interruption loses none of it.
  virtual absl::Status checkpoint() = 0;
  // The last checkpoint, and the file under its own name.
  virtual absl::Status finish() = 0;

  // FAILED_PRECONDITION where PATH exists already, or a journal belongs to another job.
  static absl::StatusOr<std::unique_ptr<VectorWriter>> open(const WriterOptions& options);
};

}  // namespace bouquet::cli
