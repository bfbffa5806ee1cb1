// Processors by hand, or shared out.
#include "cli/replica_flags.h"

#include "base/status.h"

namespace bouquet::cli {
namespace {

absl::StatusOr<std::vector<std::vector<int>>> parse_sets(const std::vector<std::string>& sets) {
  std::vector<std::vector<int>> parsed;
  for (const std::string& set : sets) {
    ASSIGN_OR_RETURN(parsed.emplace_back(), rose::cpu::parse_processors(set));
  }
  return parsed;
}

}  // namespace

void ReplicaFlags::add_to(CLI::App& command) {
  CLI::Option* count =
      command
          .add_option("--replicas", replicas,
                      "Engines of the model in this process, each with its share of the processors; one copy of the "
                      "weights serves all")
          ->check(CLI::Range(1, 1024))
          ->capture_default_str();
  command
      .add_option("--processors", processor_sets,
                  "An engine on these processors, such as 0-7,16; may be repeated: one engine each")
      ->allow_extra_args(false)
      ->excludes(count);
}

absl::StatusOr<std::vector<rose::EngineOptions>> ReplicaFlags::engines(const rose::EngineOptions& base,
                                                                       const rose::cpu::Topology& topology) const {
  std::vector<std::vector<int>> sets(1);
  if (!processor_sets.empty()) {
    ASSIGN_OR_RETURN(sets, parse_sets(processor_sets));
  } else if (replicas > 1) {
    sets.resize(replicas);
    if (base.threads == 0) sets = rose::cpu::share_out(topology, replicas);
  }
  std::vector<rose::EngineOptions> engines(sets.size(), base);
  const auto weights = std::make_shared<rose::WeightStore>();
  for (size_t i = 0; i < sets.size(); ++i) {
    // Of the quota each has its part.
    if (sets.size() > 1 && base.threads == 0)
      engines[i].threads = rose::cpu::Topology{sets[i], topology.quota / sets.size()}.threads();
    engines[i].processors = sets[i];
    engines[i].weights = weights;
  }
  return engines;
}

}  // namespace bouquet::cli
