// Records in, vectors out, in order, with a few groups of records in flight: memory is bounded whatever the input's
// size.
#pragma once

#include <functional>

#include "cli/embed/record_reader.h"
#include "cli/embed/vector_writer.h"
#include "ivy/gateway.h"

namespace bouquet::cli {

struct PipelineOptions {
  ivy::JobOptions job;
  size_t group_records = 64;      // records that travel together, at most
  size_t group_bytes = 64 << 10;  // ... and their text, at most (but for a single longer record)
  size_t groups_in_flight = 4;
};

struct PipelineReport {
  int64_t records = 0;  // embedded by this run
  int64_t tokens = 0;
  int64_t truncated = 0;
  bool complete = true;  // false: ended by the caller
};

// Called after each group with what has been written so far; false ends the run there.
using PipelineProgress = std::function<bool(const PipelineReport& report, int64_t bytes_read)>;

// `skip` records are read and passed over first: they were embedded by an earlier run. An empty record is an error that
// names its line.
absl::StatusOr<PipelineReport> run_pipeline(RecordReader& reader, ivy::Gateway& gateway, VectorWriter& writer,
                                            int64_t skip, const PipelineOptions& options,
                                            const PipelineProgress& progress);

}  // namespace bouquet::cli
