// Counters, gauges and histograms of this process (prometheus-cpp), all in one registry, rendered by /metrics.
//
// A metric is made once, at start, so that its series exist at 0 before the first request:
//   Counter& batches = metrics().counter("bouquet_batches_total", "Batches sent to the engine", {{"mode", "eager"}});
#pragma once

#include <map>
#include <string>
#include <vector>

#include "prometheus/counter.h"
#include "prometheus/gauge.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"

namespace bouquet {

using Counter = prometheus::Counter;
using Gauge = prometheus::Gauge;
using Histogram = prometheus::Histogram;
using Labels = std::map<std::string, std::string>;

// Upper bounds in seconds, 100 us to 60 s, for every duration.
const std::vector<double>& duration_buckets();

class Metrics {
 public:
  Counter& counter(const std::string& name, const std::string& help, const Labels& labels = {});
  Gauge& gauge(const std::string& name, const std::string& help, const Labels& labels = {});
  Histogram& histogram(const std::string& name, const std::string& help, const std::vector<double>& buckets,
                       const Labels& labels = {});
  // Ends the series; whoever holds the gauge must not use it any more.
  void remove_gauge(const std::string& name, const std::string& help, const Labels& labels);
  // The text exposition format, version 0.0.4.
  std::string render() const;

 private:
  prometheus::Registry registry_;
};

// The process's own registry.
Metrics& metrics();

}  // namespace bouquet
