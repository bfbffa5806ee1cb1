// One prometheus-cpp registry; families are created on first use and found again by name.
#include "base/metrics.h"

#include "prometheus/text_serializer.h"

namespace bouquet {

const std::vector<double>& duration_buckets() {
  static const std::vector<double> kBuckets = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                               0.1,    0.25,    0.5,    1,     2.5,    5,     10,   30,    60};
  return kBuckets;
}

Counter& Metrics::counter(const std::string& name, const std::string& help, const Labels& labels) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry_).Add(labels);
}

Gauge& Metrics::gauge(const std::string& name, const std::string& help, const Labels& labels) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry_).Add(labels);
}

void Metrics::remove_gauge(const std::string& name, const std::string& help, const Labels& labels) {
  auto& family = prometheus::BuildGauge().Name(name).Help(help).Register(registry_);
  family.Remove(&family.Add(labels));
}

Histogram& Metrics::histogram(const std::string& name, const std::string& help, const std::vector<double>& buckets,
                              const Labels& labels) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry_).Add(labels, buckets);
}

std::string Metrics::render() const { return prometheus::TextSerializer().Serialize(registry_.Collect()); }

Metrics& metrics() {
  static Metrics instance;
  return instance;
}

}  // namespace bouquet
