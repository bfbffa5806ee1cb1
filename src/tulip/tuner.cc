// Probes, the decision, and its cache file.
#include "tulip/tuner.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/version.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace bouquet::tulip {
namespace {

namespace fs = std::filesystem;
constexpr int kRounds = 3;
constexpr int32_t kSizes[] = {16, 32, 64, 128, 256, 512, 1024};

std::atomic<int> g_files{0};  // written by this process

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

}  // namespace

std::string tuning_key(const rose::EngineInfo& info) {
  const std::string what = fmt::format("{}|{}|{}|{}|{:016x}|{}", info.device, info.isa, info.dtype, info.threads,
                                       info.model.fingerprint, kVersion);
  return fmt::format("{:016x}", hash_bytes(what));
}

std::optional<Tuning> load_tuning(const fs::path& cache, const std::string& key) {
  if (cache.empty()) return std::nullopt;
  const auto text = read_file(cache / "tuning" / (key + ".json"));
  if (!text.ok()) return std::nullopt;
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  int64_t saturation = 0, bulk = 0, inflection = 0;
  if (parser.parse(*text).get(root) || root["saturation_tokens"].get(saturation) || root["bulk_tokens"].get(bulk) ||
      root["inflection_tokens"].get(inflection)) {
    return std::nullopt;
  }
  const auto sane = [](int64_t tokens) { return tokens >= 1 && tokens <= 1 << 20; };
  if (!sane(saturation) || !sane(bulk) || !sane(inflection)) return std::nullopt;
  return Tuning{static_cast<int32_t>(saturation), static_cast<int32_t>(bulk), static_cast<int32_t>(inflection)};
}

void save_tuning(const fs::path& cache, const std::string& key, const Tuning& tuning) {
  if (cache.empty()) return;
  std::error_code error;
  fs::create_directories(cache / "tuning", error);
  const fs::path file = cache / "tuning" / (key + ".json"),
                 fresh = fmt::format("{}.{}.{}", file.string(), getpid(), g_files++);
  {
    std::ofstream out(fresh);
    out << fmt::format(R"({{"saturation_tokens":{},"bulk_tokens":{},"inflection_tokens":{}}})",
                       tuning.saturation_tokens, tuning.bulk_tokens, tuning.inflection_tokens)
        << "\n";
    if (!out) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(fresh, file, error);
  if (error) log_debug("tuning not kept", {{"file", file.string()}, {"reason", error.message()}});
}

Tuning decide(const std::vector<ProbeTimes>& times) {
  double best = 0;
  std::vector<std::pair<int32_t, double>> rates;
  Tuning tuning;
  tuning.inflection_tokens = times.front().tokens;
  for (const ProbeTimes& t : times) {
    const double eager = median(t.eager), graph = median(t.graph);
    if (graph * 1.01 < eager) tuning.inflection_tokens = t.tokens;
    rates.emplace_back(t.tokens, t.tokens / std::min(eager, graph));
    best = std::max(best, rates.back().second);
  }
  const auto smallest_at = [&](double share) {
    return std::find_if(rates.begin(), rates.end(), [&](const auto& r) { return r.second >= share * best; })->first;
  };
  tuning.saturation_tokens = smallest_at(0.90);
  tuning.bulk_tokens = smallest_at(0.97);
  return tuning;
}

Tuner::Tuner(const rose::EngineInfo& info, fs::path cache)
    : cache_(std::move(cache)), key_(tuning_key(info)), longest_(info.model.max_tokens) {
  for (int32_t tokens : kSizes) {
    if (tokens <= info.max_batch_tokens) times_.push_back({tokens, {}, {}});
  }
  if (times_.empty()) times_.push_back({info.max_batch_tokens, {}, {}});
}

bool Tuner::probe(rose::Engine& engine) {
  const bool as_graph = next_ % 2 == 1;
  ProbeTimes& times = times_[next_ / 2 % times_.size()];
  const std::vector<int32_t> ids(times.tokens, 0);
  std::vector<int32_t> cu_seqlens = {0};
  while (cu_seqlens.back() < times.tokens)
    cu_seqlens.push_back(std::min(times.tokens, cu_seqlens.back() + std::min(longest_, 128)));
  const std::vector<rose::RowSpec> specs(cu_seqlens.size() - 1);
  const rose::Batch batch{ids, cu_seqlens, {}, specs};
  const std::shared_ptr<const rose::Graph> graph =
      as_graph ? engine.capture({times.tokens, static_cast<int32_t>(specs.size()), longest_}) : nullptr;
  const auto start = std::chrono::steady_clock::now();
  const rose::LazyTensor result = as_graph ? engine.step(batch, graph) : engine.step(batch);
  if (!result.wait().ok()) return true;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  (as_graph ? times.graph : times.eager).push_back(seconds);
  if (++next_ < 2 * times_.size() * kRounds) return true;
  tuning_ = decide(times_);
  save_tuning(cache_, key_, tuning_);
  log_info("tuned", {{"saturation_tokens", std::to_string(tuning_.saturation_tokens)},
                     {"bulk_tokens", std::to_string(tuning_.bulk_tokens)},
                     {"inflection_tokens", std::to_string(tuning_.inflection_tokens)}});
  return false;
}

}  // namespace bouquet::tulip
