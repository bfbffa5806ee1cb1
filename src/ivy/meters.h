// Ivy's own metrics, all made at once, so that every series exists from the start.
#pragma once

#include <string>
#include <string_view>

#include "base/metrics.h"

namespace bouquet::ivy {

struct Meters {
  Histogram& parse;  // of each request: JSON to Job
  Histogram& tokenize;
  Histogram& queue;    // the longest of a request's chunks, in the replica
  Histogram& compute;  // likewise
  Histogram& write;    // writing the reply
  Histogram& total;    // from the request's last byte to the reply's last
  Counter& inputs;
  Counter& tokens;
  Counter& truncated;
  Counter& retries;        // chunks sent to another replica
  Counter& hedges;         // ... beside the first
  Counter& cache_hits;     // sequences answered from the result cache, or by another's run
  Counter& cache_misses;   // ... that had to be run
  Counter& cache_evicted;  // rows
  Gauge& cache_bytes;
  Gauge& replicas;  // that have joined and not left
  Gauge& jobs;      // in flight
  Gauge& requests;  // in flight, all routes
  Gauge& connections;

  // `cause` as cause_of() gives it; anything else counts nothing.
  void count_error(std::string_view cause);
};

Meters& meters();

// How many replicas of a model take chunks; set when the metrics are asked for.
void set_replicas_of(const std::string& model, size_t replicas);
void forget_replicas_of(const std::string& model);

}  // namespace bouquet::ivy
