// What things cost, in time. The defaults are all-MiniLM-L6-v2 in f32 on two processors of a Zen 3 server, from
// docs/benchmarks.md: batches of 32, 128 and 1,024 tokens take 7.1, 22.5 and 172 ms there (5,681 tokens a second at
// 128), which is 1.7 ms a batch and 1/6,000 s a token within 3 %; a hop between gateway and replica adds 0.84 ms.
#pragma once

#include <cstdint>

#include "tulip/client.h"

namespace bouquet::simulate {

using tulip::Clock;

struct Cost {
  double tokens_per_second = 6000;  // of a replica, beside what each batch takes
  double batch_ms = 1.7;            // of each batch, whatever it holds
  double hop_ms = 0.84;             // from gateway to replica and back
  int32_t batch_tokens = 128;       // of a batch while anybody is online: the saturation point
  int32_t bulk_tokens = 1024;       // of a batch of pure bulk, and of a chunk

  double batch_seconds(int64_t tokens) const {
    return batch_ms * 1e-3 + static_cast<double>(tokens) / tokens_per_second;
  }
  // Tokens a second that one replica does in batches of batch_tokens.
  double capacity() const { return batch_tokens / batch_seconds(batch_tokens); }
};

inline Clock::duration to_duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

inline double to_seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace bouquet::simulate
