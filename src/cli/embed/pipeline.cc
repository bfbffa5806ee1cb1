// A window of futures over the gateway.
#include "cli/embed/pipeline.h"

#include <deque>
#include <future>

#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

struct Group {
  std::vector<ivy::Input> inputs;
  int64_t first_line = 0;
};

// The next group; empty at the end.
absl::StatusOr<Group> read_group(RecordReader& reader, const PipelineOptions& options) {
  Group group;
  size_t bytes = 0;
  while (group.inputs.size() < options.group_records && bytes < options.group_bytes) {
    ASSIGN_OR_RETURN(std::optional<std::string> record, reader.next());
    if (!record) break;
    if (record->empty())
      return absl::InvalidArgumentError(fmt::format("line {} is empty; there is no vector of nothing", reader.line()));
    if (group.inputs.empty()) group.first_line = reader.line();
    bytes += record->size();
    group.inputs.emplace_back(*std::move(record));
  }
  return group;
}

class Window {
 public:
  Window(ivy::Gateway& gateway, VectorWriter& writer, const PipelineOptions& options)
      : gateway_(gateway), writer_(writer), options_(options) {}
  ~Window() {
    for (Pending& pending : pending_) pending.result.wait();
  }

  void send(Group group) {
    auto promise = std::make_shared<std::promise<absl::StatusOr<ivy::JobResult>>>();
    ivy::Job job;
    job.inputs = std::move(group.inputs);
    job.options = options_.job;
    pending_.push_back({promise->get_future(), job.inputs.size(), group.first_line});
    gateway_.run(std::move(job),
                 [promise](absl::StatusOr<ivy::JobResult> result) { promise->set_value(std::move(result)); });
  }

  bool full() const { return pending_.size() >= options_.groups_in_flight; }
  bool empty() const { return pending_.empty(); }

  // Writes the oldest group.
  absl::Status receive(PipelineReport* report) {
    Pending pending = std::move(pending_.front());
    pending_.pop_front();
    absl::StatusOr<ivy::JobResult> result = pending.result.get();
    if (!result.ok()) {
      return absl::Status(result.status().code(),
                          fmt::format("in the {} records from line {}: {}", pending.records, pending.first_line,
                                      std::string(result.status().message())));
    }
    for (size_t i = 0; i < pending.records; ++i) {
      RETURN_IF_ERROR(writer_.write({result->row(i), static_cast<size_t>(result->row_size)}));
    }
    report->records += static_cast<int64_t>(pending.records);
    report->tokens += result->tokens;
    report->truncated += result->truncated;
    return writer_.checkpoint();
  }

 private:
  struct Pending {
    std::future<absl::StatusOr<ivy::JobResult>> result;
    size_t records;
    int64_t first_line;
  };
  ivy::Gateway& gateway_;
  VectorWriter& writer_;
  const PipelineOptions& options_;
  std::deque<Pending> pending_;
};

}  // namespace

absl::StatusOr<PipelineReport> run_pipeline(RecordReader& reader, ivy::Gateway& gateway, VectorWriter& writer,
                                            int64_t skip, const PipelineOptions& options,
                                            const PipelineProgress& progress) {
  for (int64_t i = 0; i < skip; ++i) {
    ASSIGN_OR_RETURN(const std::optional<std::string> record, reader.next());
    if (!record)
      return absl::FailedPreconditionError(fmt::format("the input has only {} records, {} were done before", i, skip));
  }
  PipelineReport report;
  Window window(gateway, writer, options);
  for (bool more = true; more || !window.empty();) {
    while (more && !window.full()) {
      ASSIGN_OR_RETURN(Group group, read_group(reader, options));
      more = !group.inputs.empty();
      if (more) window.send(std::move(group));
    }
    if (window.empty()) break;
    RETURN_IF_ERROR(window.receive(&report));
    if (progress(report, reader.bytes())) continue;
    report.complete = !more && window.empty();
    break;
  }
  return report;
}

}  // namespace bouquet::cli
