// The series by name.
#include "tulip/stats.h"

namespace bouquet::tulip {
namespace {

Counter& batches(const char* mode) {
  return metrics().counter("bouquet_tulip_batches_total", "Batches sent to the engine, by how they ran",
                           {{"mode", mode}});
}
Counter& refused(const char* cause) {
  return metrics().counter("bouquet_tulip_refused_total", "Chunks refused before any work, by cause",
                           {{"cause", cause}});
}
Counter& dropped(const char* cause) {
  return metrics().counter("bouquet_tulip_dropped_total", "Sequences not computed or not answered, by cause",
                           {{"cause", cause}});
}
const std::vector<double> kTokens = {1, 4, 16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384};
const std::vector<double> kSequences = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
const std::vector<double> kShares = {0.1, 0.25, 0.5, 0.75, 0.9, 1, 2};

}  // namespace

Stats::Stats()
    : batches_eager(batches("eager")),
      batches_captured(batches("capture")),
      batches_replayed(batches("replay")),
      graphs_evicted(metrics().counter("bouquet_tulip_graphs_evicted_total", "Captured graphs dropped at the bound")),
      graphs(metrics().gauge("bouquet_tulip_graphs", "Captured graphs held")),
      tokens(metrics().counter("bouquet_tulip_tokens_total", "Tokens run")),
      padding_tokens(
          metrics().counter("bouquet_tulip_padding_tokens_total",
                            "Tokens between a graph batch's own size and its bucket's (computed on a GPU only)")),
      batch_tokens(metrics().histogram("bouquet_tulip_batch_tokens", "Tokens a batch", kTokens)),
      batch_sequences(metrics().histogram("bouquet_tulip_batch_sequences", "Sequences a batch", kSequences)),
      batch_fill(metrics().histogram("bouquet_tulip_batch_fill_ratio", "Tokens of a batch over its budget", kShares)),
      queue_seconds(metrics().histogram("bouquet_tulip_queue_seconds", "From admission to a batch, a sequence",
                                        duration_buckets())),
      compute_seconds(metrics().histogram("bouquet_tulip_compute_seconds", "From enqueueing a batch to its result",
                                          duration_buckets())),
      queued_tokens(metrics().gauge("bouquet_tulip_queued_tokens", "Tokens waiting for a batch")),
      queue_age_seconds(
          metrics().gauge("bouquet_tulip_queue_age_seconds", "Age of the oldest sequence of the last batch taken")),
      in_flight(metrics().gauge("bouquet_tulip_batches_in_flight", "Batches running or queued behind one")),
      refused_overload(refused("overload")),
      refused_invalid(refused("invalid")),
      refused_draining(refused("draining")),
      dropped_deadline(dropped("deadline")),
      dropped_cancelled(dropped("cancelled")),
      nonfinite(
          metrics().counter("bouquet_tulip_nonfinite_total", "Sequences whose output was NaN, infinite or all zero")),
      saturation_tokens(
          metrics().gauge("bouquet_tulip_saturation_tokens", "Tokens past which a bigger batch buys little")),
      inflection_tokens(metrics().gauge("bouquet_tulip_inflection_tokens", "Tokens above which batches run eagerly")) {}

}  // namespace bouquet::tulip
