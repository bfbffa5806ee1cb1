// Each rival replaces the choice alone.
#include "simulate/policies.h"

#include "simulate/random.h"

namespace bouquet::simulate {
namespace {

using ivy::Balancer;
using ivy::BalancerOptions;
using ivy::Clock;
using Place = Balancer::Place;
using MayGo = absl::FunctionRef<bool(Place)>;

// The first of `places` that may go, from `begin` on and around.
std::optional<Place> first_from(Place begin, size_t places, MayGo may_go) {
  for (size_t step = 0; step < places; ++step) {
    const Place place = (begin + step) % places;
    if (may_go(place)) return place;
  }
  return std::nullopt;
}

class RoundRobin : public Balancer {
 public:
  // Gateways begin at different places, as they would.
  explicit RoundRobin(const BalancerOptions& options) : Balancer(options), next_(options.seed * 7919) {}

 private:
  std::optional<Place> choose(uint64_t, Clock::time_point, MayGo may_go) override {
    const std::optional<Place> place = first_from(next_, places(), may_go);
    if (place) next_ = *place + 1;
    return place;
  }
  size_t next_;
};

class AtRandom : public Balancer {
 public:
  explicit AtRandom(const BalancerOptions& options) : Balancer(options), random_(options.seed, 4) {}

 private:
  std::optional<Place> choose(uint64_t, Clock::time_point, MayGo may_go) override {
    for (int draw = 0; draw < kDraws; ++draw) {
      const Place place = random_.below(places());
      if (may_go(place)) return place;
    }
    return first_from(random_.below(places()), places(), may_go);
  }
  static constexpr int kDraws = 8;
  Random random_;
};

class LeastLoaded : public Balancer {
 public:
  explicit LeastLoaded(const BalancerOptions& options) : Balancer(options), random_(options.seed, 5) {}

 private:
  std::optional<Place> choose(uint64_t, Clock::time_point, MayGo may_go) override {
    const Place begin = random_.below(places());  // ties go anywhere
    std::optional<Place> best;
    for (size_t step = 0; step < places(); ++step) {
      const Place place = (begin + step) % places();
      if ((!best || chunks_at(place) < chunks_at(*best)) && may_go(place)) best = place;
      if (best && chunks_at(*best) == 0) break;
    }
    return best;
  }
  Random random_;
};

}  // namespace

std::string_view name_of(Policy policy) {
  switch (policy) {
    case Policy::kRoundRobin:
      return "round-robin";
    case Policy::kRandom:
      return "random";
    case Policy::kLeastLoaded:
      return "least-loaded";
    case Policy::kOurs:
      return "ours";
  }
  return "";
}

std::optional<Policy> policy_of(std::string_view name) {
  for (const Policy policy : kPolicies) {
    if (name_of(policy) == name) return policy;
  }
  return std::nullopt;
}

std::unique_ptr<Balancer> make_balancer(Policy policy, const BalancerOptions& options) {
  switch (policy) {
    case Policy::kRoundRobin:
      return std::make_unique<RoundRobin>(options);
    case Policy::kRandom:
      return std::make_unique<AtRandom>(options);
    case Policy::kLeastLoaded:
      return std::make_unique<LeastLoaded>(options);
    case Policy::kOurs:
      return std::make_unique<Balancer>(options);
  }
  return nullptr;
}

}  // namespace bouquet::simulate
