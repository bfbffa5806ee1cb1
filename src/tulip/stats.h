// What Tulip counts; several in one process add up. Every series exists at 0 from the start; docs/operations.md
// explains each.
#pragma once

#include "base/gauge_share.h"
#include "base/metrics.h"

namespace bouquet::tulip {

struct Stats {
  Stats();
  Counter& batches_eager;
  Counter& batches_captured;
  Counter& batches_replayed;
  Counter& graphs_evicted;
  GaugeShare graphs;
  Counter& tokens;
  Counter& padding_tokens;
  Histogram& batch_tokens;
  Histogram& batch_sequences;
  Histogram& batch_fill;
  Histogram& queue_seconds;
  Histogram& compute_seconds;
  GaugeShare queued_tokens;
  Gauge& queue_age_seconds;
  GaugeShare in_flight;
  Counter& refused_overload;
  Counter& refused_invalid;
  Counter& refused_draining;
  Counter& dropped_deadline;
  Counter& dropped_cancelled;
  Counter& nonfinite;
  Gauge& saturation_tokens;
  Gauge& inflection_tokens;
};

}  // namespace bouquet::tulip
