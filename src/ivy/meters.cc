// Names and help texts.
#include "ivy/meters.h"

#include <map>
#include <mutex>

namespace bouquet::ivy {
namespace {

std::mutex g_models;  // a series that goes must not be written to
constexpr char kModelReplicas[] = "bouquet_model_replicas";
constexpr char kModelReplicasHelp[] = "Replicas of a model that take chunks";

Histogram& stage(const char* name) {
  return metrics().histogram("bouquet_stage_seconds", "Time of one request in one stage", duration_buckets(),
                             {{"stage", name}});
}

std::map<std::string, Counter*, std::less<>> make_errors() {
  std::map<std::string, Counter*, std::less<>> errors;
  for (const char* cause : {"client", "overload", "replica", "timeout", "cancelled", "internal"}) {
    errors[cause] =
        &metrics().counter("bouquet_errors_total", "Requests that failed, by who caused it", {{"cause", cause}});
  }
  return errors;
}

const std::map<std::string, Counter*, std::less<>>& errors() {
  static const auto instance = make_errors();
  return instance;
}

}  // namespace

void Meters::count_error(std::string_view cause) {
  const auto found = errors().find(cause);
  if (found != errors().end()) found->second->Increment();
}

void set_replicas_of(const std::string& model, size_t replicas) {
  std::lock_guard lock(g_models);
  metrics().gauge(kModelReplicas, kModelReplicasHelp, {{"model", model}}).Set(static_cast<double>(replicas));
}

void forget_replicas_of(const std::string& model) {
  std::lock_guard lock(g_models);
  metrics().remove_gauge(kModelReplicas, kModelReplicasHelp, {{"model", model}});
}

Meters& meters() {
  static Meters instance = [] {
    errors();
    Metrics& m = metrics();
    return Meters{
        stage("parse"),
        stage("tokenize"),
        stage("queue"),
        stage("compute"),
        stage("write"),
        m.histogram("bouquet_request_seconds", "From a request's last byte to its reply's last", duration_buckets()),
        m.counter("bouquet_inputs_total", "Texts, pairs and token lists that were run"),
        m.counter("bouquet_tokens_total", "Tokens that were run, special tokens included"),
        m.counter("bouquet_truncated_inputs_total", "Inputs that were cut to the model's length"),
        m.counter("bouquet_retries_total", "Chunks sent to another replica after a failure"),
        m.counter("bouquet_hedges_total", "Chunks sent to a second replica because the first took long"),
        m.counter("bouquet_cache_hits_total", "Inputs answered from the result cache, or by another request's run"),
        m.counter("bouquet_cache_misses_total", "Inputs that the result cache had to let run"),
        m.counter("bouquet_cache_evicted_total", "Results dropped from the cache for want of room"),
        m.gauge("bouquet_cache_bytes", "Memory that the result cache holds"),
        m.gauge("bouquet_replicas", "Replicas that take chunks"),
        m.gauge("bouquet_jobs_in_flight", "Jobs being tokenized, queued or computed"),
        m.gauge("bouquet_requests_in_flight", "Requests read and not yet answered"),
        m.gauge("bouquet_connections", "Open connections"),
    };
  }();
  return instance;
}

}  // namespace bouquet::ivy
