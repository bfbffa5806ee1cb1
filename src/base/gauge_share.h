// One of several holders of a gauge: the gauge shows the sum of what all of them have set.
#pragma once

#include <atomic>

#include "base/metrics.h"

namespace bouquet {

class GaugeShare {
 public:
  explicit GaugeShare(Gauge& gauge) : gauge_(gauge) {}
  ~GaugeShare() { Set(0); }
  GaugeShare(const GaugeShare&) = delete;

  void Set(double value) { gauge_.Increment(value - mine_.exchange(value)); }

 private:
  Gauge& gauge_;
  std::atomic<double> mine_{0};
};

}  // namespace bouquet
