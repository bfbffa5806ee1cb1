// One definition a flag; its variable and TOML key follow from it.
#include "cli/tulip_flags.h"

#include "cli/model_flags.h"
#include "cli/numbers.h"

namespace bouquet::cli {

void TulipFlags::add_to(CLI::App& command) {
  tulip::RunnerOptions& r = service.runner;
  command.add_option("--lanes", r.scheduler.lanes, "2: online requests before bulk; 1: a plain queue")
      ->check(CLI::IsMember({1, 2}))
      ->capture_default_str()
      ->group("Scheduling");
  command.add_option("--bulk-share", r.scheduler.bulk_share, "Share of each batch kept for bulk while both wait")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->group("Scheduling");
  command.add_option("--batch-tokens", batch_tokens, "Tokens a batch; 0: measured")
      ->check(zero_or_more())
      ->capture_default_str()
      ->group("Scheduling");
  command.add_option("--bulk-tokens", bulk_tokens, "Tokens a batch of bulk alone; 0: measured")
      ->check(zero_or_more())
      ->capture_default_str()
      ->group("Scheduling");
  command.add_option("--batch-sequences", r.scheduler.max_sequences, "Most sequences a batch")
      ->check(above_zero())
      ->capture_default_str()
      ->group("Scheduling");
  command.add_option("--in-flight", r.max_in_flight, "Batches enqueued on the engine at once")
      ->check(CLI::Range(1, 8))
      ->capture_default_str()
      ->group("Scheduling");
  command
      .add_option("--max-queued-tokens", r.admission.max_queued_tokens,
                  "Tokens that may wait before 429; 0: what runs in --max-queue-seconds, but at least 32768")
      ->check(zero_or_more())
      ->capture_default_str()
      ->group("Scheduling");
  command
      .add_option("--max-queue-seconds", r.admission.max_queue_seconds,
                  "Seconds of work that may wait before 429, where --max-queued-tokens is 0")
      ->check(above_zero())
      ->capture_default_str()
      ->group("Scheduling");
  command.add_option("--graphs", graphs, "Captured graphs: lazy (a shape's second batch), precapture (its first), off")
      ->check(CLI::IsMember({"lazy", "precapture", "off"}))
      ->capture_default_str()
      ->group("Scheduling");
  command.add_option("--max-graphs", r.graphs.max_graphs, "Captured graphs held at most")
      ->check(above_zero())
      ->capture_default_str()
      ->group("Scheduling");
  command.add_flag("--tune,!--no-tune", tune, "Measure batch sizes while idle and keep them (default)")
      ->group("Scheduling");
}

tulip::ServiceOptions TulipFlags::options(const std::string& model_name) const {
  tulip::ServiceOptions options = service;
  options.model_name = model_name;
  options.tune = tune && batch_tokens == 0 && bulk_tokens == 0;
  options.cache = cache_directory();
  if (batch_tokens > 0) options.runner.scheduler.mixed_budget = options.runner.scheduler.bulk_budget = batch_tokens;
  if (bulk_tokens > 0) options.runner.scheduler.bulk_budget = bulk_tokens;
  options.runner.graphs.mode = graphs == "off"    ? tulip::GraphMode::kOff
                               : graphs == "lazy" ? tulip::GraphMode::kLazy
                                                  : tulip::GraphMode::kPrecapture;
  return options;
}

}  // namespace bouquet::cli
