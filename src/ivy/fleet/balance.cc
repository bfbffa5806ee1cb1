// Expected wait = (tokens ahead of the chunk + its own) / tokens per second.
#include "ivy/fleet/balance.h"

#include <algorithm>

namespace bouquet::ivy {
namespace {

constexpr double kFirstShare = 0.1;  // of a newcomer's rate
constexpr int kMostDraws = 8;        // before all are looked at
constexpr double kPatience = 4;      // times what is expected

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

Balancer::Place Balancer::add(Clock::time_point now) {
  const auto free = std::find_if(replicas_.begin(), replicas_.end(),
                                 [](const Replica& replica) { return !replica.here && replica.chunks == 0; });
  const auto place = static_cast<Place>(free - replicas_.begin());
  if (free == replicas_.end()) replicas_.emplace_back();
  replicas_[place] = Replica{.here = true, .joined = now};
  return place;
}

void Balancer::remove(Place place) {
  set_rate(replicas_[place], 0);
  replicas_[place].here = false;
}

void Balancer::set_rate(Replica& replica, uint64_t tokens_per_second) {
  if (replica.here) {
    known_ += (tokens_per_second > 0 ? 1 : 0) - (replica.tokens_per_second > 0 ? 1 : 0);
    rate_sum_ += tokens_per_second - replica.tokens_per_second;
  }
  replica.tokens_per_second = tokens_per_second;
}

// A replica that has not said how fast it is, or not for long, counts as fast as the mean of all: so one that was slow
// is tried again.
double Balancer::known_rate(const Replica& replica, Clock::time_point now) const {
  if (replica.tokens_per_second > 0 && now - replica.reported <= options_.memory) {
    return static_cast<double>(replica.tokens_per_second);
  }
  return known_ > 0 ? static_cast<double>(rate_sum_) / static_cast<double>(known_) : 1.0;
}

double Balancer::rate(const Replica& replica, Clock::time_point now) const {
  const double share = seconds(now - replica.joined) / seconds(options_.slow_start);
  return known_rate(replica, now) * std::clamp(share, kFirstShare, 1.0);
}

double Balancer::expected_wait(Place place, uint64_t tokens, Clock::time_point now) const {
  const Replica& r = replicas_[place];
  return (ahead(r, now) + static_cast<double>(tokens)) / rate(r, now);
}

// Tokens to be done there before a new chunk. What others had queued there is worked off meanwhile.
double Balancer::ahead(const Replica& replica, Clock::time_point now) const {
  const double done = static_cast<double>(replica.tokens_per_second) * seconds(now - replica.reported);
  return static_cast<double>(replica.outstanding) + std::max(0.0, static_cast<double>(replica.others) - done);
}

// Has work of ours, and ended none of it for long.
bool Balancer::is_silent(Place place, Clock::time_point now) const {
  const Replica& r = replicas_[place];
  if (r.chunks == 0 || now - r.heard <= options_.patience) return false;
  if (r.tokens_per_second == 0) return true;
  return seconds(now - r.heard) > kPatience * ahead(r, now) / static_cast<double>(r.tokens_per_second);
}

bool Balancer::is_left_out(Place place, Clock::time_point now) const {
  return now < replicas_[place].out_until || is_silent(place, now);
}

// Back after it was left out, and has not answered yet: one chunk at a time.
bool Balancer::on_trial(const Replica& replica) const { return replica.pause.count() > 0 && replica.chunks > 0; }

std::optional<Balancer::Place> Balancer::least_wait(uint64_t tokens, Clock::time_point now,
                                                    absl::FunctionRef<bool(Place)> may_go) {
  std::optional<Place> best;
  double best_wait = 0;
  for (size_t step = 0; step < replicas_.size(); ++step) {
    const Place i = (next_ + step) % replicas_.size();
    if (!may_go(i)) continue;
    const double wait = expected_wait(i, tokens, now);
    if (!best || wait < best_wait) {
      best = i;
      best_wait = wait;
    }
  }
  return best;
}

std::optional<Balancer::Place> Balancer::best_of_drawn(uint64_t tokens, Clock::time_point now,
                                                       absl::FunctionRef<bool(Place)> may_go) {
  std::optional<Place> best;
  double best_wait = 0;
  int drawn = 0;
  for (int draw = 0; draw < kMostDraws && drawn < options_.draw; ++draw) {
    const Place place = std::uniform_int_distribution<Place>(0, replicas_.size() - 1)(random_);
    if (place == best || !may_go(place)) continue;
    ++drawn;
    const double wait = expected_wait(place, tokens, now);
    if (best && wait >= best_wait) continue;
    best = place;
    best_wait = wait;
  }
  return best;
}

void Balancer::send(Place place, uint64_t tokens, Clock::time_point now) {
  Replica& replica = replicas_[place];
  if (replica.chunks++ == 0) replica.heard = now;
  replica.outstanding += tokens;
  next_ = (place + 1) % replicas_.size();
}

std::optional<Balancer::Place> Balancer::choose(uint64_t tokens, Clock::time_point now,
                                                absl::FunctionRef<bool(Place)> may_go) {
  std::optional<Place> place;
  if (replicas_.size() > options_.look_at_all) place = best_of_drawn(tokens, now, may_go);
  return place ? place : least_wait(tokens, now, may_go);
}

std::optional<Balancer::Place> Balancer::pick(uint64_t tokens, Clock::time_point now,
                                              absl::FunctionRef<bool(Place)> may_go) {
  const auto is_here = [&](Place place) { return replicas_[place].here && may_go(place); };
  const auto is_well = [&](Place place) {
    return !is_left_out(place, now) && !on_trial(replicas_[place]) && is_here(place);
  };
  std::optional<Place> place = choose(tokens, now, is_well);
  if (!place) place = least_wait(tokens, now, is_here);  // better a doubtful one than none
  if (place) send(*place, tokens, now);
  return place;
}

void Balancer::finished(Place place, uint64_t tokens, const End& end, Clock::time_point now) {
  const Outcome outcome = end.outcome;
  Replica& r = replicas_[place];
  r.outstanding -= std::min(r.outstanding, tokens);
  --r.chunks;
  if (outcome != Outcome::kCancelled) r.heard = now;
  if (outcome == Outcome::kAnswered || outcome == Outcome::kRefused) {
    if (r.pause.count() > 0) r.out_until = Clock::time_point::min();  // it is well again
    r.failures = 0;
    r.pause = {};
  }
  if (outcome == Outcome::kRefused) {
    r.out_until = std::max(r.out_until, now + std::min(end.retry_after, options_.longest_full));
  }
  // Once it is left out, further failures are of the same cause. On trial one is enough.
  const bool counts = outcome == Outcome::kFailed && now >= r.out_until;
  if (counts && (++r.failures >= options_.most_failures || r.pause.count() > 0)) {
    r.pause = std::clamp(2 * r.pause, options_.first_pause, options_.longest_pause);
    r.out_until = now + r.pause;
    r.failures = 0;
  }
  if (!end.load) return;
  set_rate(r, end.load->tokens_per_second);
  r.reported = now;
  // The report counts our own queued tokens too; what is above them is other gateways' work.
  r.others = end.load->queued_tokens > r.outstanding ? end.load->queued_tokens - r.outstanding : 0;
}

}  // namespace bouquet::ivy
