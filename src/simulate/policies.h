// How the replica for a chunk is picked: as Bouquet does, or as others do. All share the rest of ivy::Balancer: what
// fails or is full is left out for a while.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "ivy/fleet/balance.h"

namespace bouquet::simulate {

enum class Policy { kRoundRobin, kRandom, kLeastLoaded, kOurs };

inline constexpr Policy kPolicies[] = {Policy::kRoundRobin, Policy::kRandom, Policy::kLeastLoaded, Policy::kOurs};

std::string_view name_of(Policy policy);  // "round-robin"
std::optional<Policy> policy_of(std::string_view name);

// Least loaded: the fewest chunks under way from this gateway, among all replicas.
std::unique_ptr<ivy::Balancer> make_balancer(Policy policy, const ivy::BalancerOptions& options);

}  // namespace bouquet::simulate
