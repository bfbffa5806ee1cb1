// Whether a call is let in: bounded by the tokens already queued, so that six hundred single texts and one list of six
// hundred meet the same policy. A plain state machine.
#pragma once

#include <cstdint>

#include "absl/status/status.h"

namespace bouquet::tulip {

struct AdmissionOptions {
  int64_t max_queued_tokens = 0;  // 0: as many as run in max_queue_seconds at the measured rate
  double max_queue_seconds = 20;
};

class Admission {
 public:
  explicit Admission(AdmissionOptions options) : options_(options) {}

  // OK, or RESOURCE_EXHAUSTED with a retry hint. An empty queue takes any call: a list too long for the limit is not
  // refused for ever. One that `continues` a job finds twice the limit, so that jobs once begun are mostly finished;
  // but there is a limit, for a gateway sends many of them before it can know how full the queues are.
  // `tokens_per_second` is 0 before it is known.
  absl::Status check(int64_t call_tokens, int64_t queued_tokens, double tokens_per_second, bool continues) const;
  int64_t limit(double tokens_per_second) const;

 private:
  AdmissionOptions options_;
};

}  // namespace bouquet::tulip
