// Expected wait = (tokens ahead of the chunk + its own) / tokens per second.
#include "ivy/balance.h"

#include <algorithm>

namespace bouquet::ivy {

// A replica that has not said how fast it is counts as fast as the mean of those that have.
double Balancer::rate(const Replica& replica) const {
  if (replica.tokens_per_second > 0) return static_cast<double>(replica.tokens_per_second);
  double sum = 0;
  size_t known = 0;
  for (const Replica& other : replicas_) {
    sum += static_cast<double>(other.tokens_per_second);
    known += other.tokens_per_second > 0 ? 1 : 0;
  }
  return known > 0 ? sum / static_cast<double>(known) : 1.0;
}

double Balancer::expected_wait(size_t replica, uint64_t tokens) const {
  const Replica& r = replicas_[replica];
  return static_cast<double>(r.outstanding + r.others + tokens) / rate(r);
}

std::optional<size_t> Balancer::pick(uint64_t tokens, const std::vector<bool>& usable) {
  std::optional<size_t> best;
  double best_wait = 0;
  for (size_t step = 0; step < replicas_.size(); ++step) {
    const size_t i = (next_ + step) % replicas_.size();
    if (!usable[i]) continue;
    const double wait = expected_wait(i, tokens);
    if (!best || wait < best_wait) {
      best = i;
      best_wait = wait;
    }
  }
  if (best) {
    replicas_[*best].outstanding += tokens;
    next_ = (*best + 1) % replicas_.size();
  }
  return best;
}

void Balancer::finished(size_t replica, uint64_t tokens, std::optional<tulip::Load> load) {
  Replica& r = replicas_[replica];
  r.outstanding -= std::min(r.outstanding, tokens);
  if (!load) return;
  r.tokens_per_second = load->tokens_per_second;
  // The report counts our own queued tokens too; what is above them is other gateways' work.
  r.others = load->queued_tokens > r.outstanding ? load->queued_tokens - r.outstanding : 0;
}

}  // namespace bouquet::ivy
