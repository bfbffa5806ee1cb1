// Measures, on this device and model, how big batches should be (the saturation point) and up to what size a captured
// graph pays (the inflection point). One short probe at a time, so that a server tunes itself in its idle moments.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rose/engine.h"

namespace bouquet::tulip {

struct Tuning {
  int32_t saturation_tokens = 256;   // smallest batch at 90 % of the best rate seen
  int32_t bulk_tokens = 1024;        // smallest batch at 97 %
  int32_t inflection_tokens = 1024;  // largest batch that a graph makes at least 1 % faster
};

// What a tuning holds for: device, kernels, dtype, threads, model and version.
std::string tuning_key(const rose::EngineInfo& info);
std::optional<Tuning> load_tuning(const std::filesystem::path& cache, const std::string& key);
// Best effort: a read-only cache is no error.
void save_tuning(const std::filesystem::path& cache, const std::string& key, const Tuning& tuning);

// Seconds a step of each size took, eager and as a graph; the medians decide.
struct ProbeTimes {
  int32_t tokens = 0;
  std::vector<double> eager, graph;
};
Tuning decide(const std::vector<ProbeTimes>& times);

class Tuner {
 public:
  // `cache` empty: the result is not kept.
  Tuner(const rose::EngineInfo& info, std::filesystem::path cache);
  // Runs one step on the idle engine and waits for it; false when the result stands.
  bool probe(rose::Engine& engine);
  const Tuning& result() const { return tuning_; }

 private:
  std::filesystem::path cache_;
  std::string key_;
  std::vector<ProbeTimes> times_;
  int32_t longest_;
  size_t next_ = 0;  // probe number: round, then size, then mode
  Tuning tuning_;
};

}  // namespace bouquet::tulip
