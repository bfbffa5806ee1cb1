// The engine alone: milliseconds a text, eager against a captured graph, one batch in flight against two, the
// saturation curve, and the share of the FMA peak measured in the same run. Rounds of A and B are interleaved; medians
// are printed.
//
//   engine_bench MODEL [ROUNDS]
#include <immintrin.h>
#include <pthread.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "rose/device/cpu/topology.h"
#include "rose/engine.h"

namespace {

using namespace bouquet::rose;
using Clock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Independent multiply-adds in registers, enough of them to hide their latency: the rate no AVX2 kernel can pass.
[[gnu::target("avx2,fma")]] double fma_flops_of_one_thread() {
  __m256 a0 = _mm256_set1_ps(1), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0, a8 = a0, a9 = a0;
  const __m256 x = _mm256_set1_ps(0.999f), y = _mm256_set1_ps(0.001f);
  constexpr int kTurns = 4'000'000;
  const auto start = Clock::now();
  for (int i = 0; i < kTurns; ++i) {
    a0 = _mm256_fmadd_ps(a0, x, y), a1 = _mm256_fmadd_ps(a1, x, y), a2 = _mm256_fmadd_ps(a2, x, y);
    a3 = _mm256_fmadd_ps(a3, x, y), a4 = _mm256_fmadd_ps(a4, x, y), a5 = _mm256_fmadd_ps(a5, x, y);
    a6 = _mm256_fmadd_ps(a6, x, y), a7 = _mm256_fmadd_ps(a7, x, y), a8 = _mm256_fmadd_ps(a8, x, y);
    a9 = _mm256_fmadd_ps(a9, x, y);
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const __m256 all =
      _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(a0, a1), _mm256_add_ps(a2, a3)),
                    _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(a4, a5), _mm256_add_ps(a6, a7)), _mm256_add_ps(a8, a9)));
  asm volatile("" : : "x"(all));  // the loop's result is used
  return 10.0 * 8 * 2 * kTurns / seconds;
}

// All threads at once, each on a processor of its own where there are enough.
double fma_flops(int threads) {
  const std::vector<int> processors = cpu::read_topology().processors;
  std::vector<double> rates(threads);
  std::barrier together(threads);
  {
    std::vector<std::jthread> team;
    for (int i = 0; i < threads; ++i) {
      team.emplace_back([&, i] {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(processors[i % processors.size()], &set);
        pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
        together.arrive_and_wait();
        rates[i] = fma_flops_of_one_thread();
      });
    }
  }
  return std::accumulate(rates.begin(), rates.end(), 0.0);
}

struct Texts {
  Texts(int count, int tokens) : ids(static_cast<size_t>(count) * tokens, 1996), specs(count, {0, true}) {
    for (int i = 0; i <= count; ++i) cu_seqlens.push_back(i * tokens);
  }
  Batch batch() const { return {ids, cu_seqlens, {}, specs}; }
  std::vector<int32_t> ids, cu_seqlens;
  std::vector<RowSpec> specs;
};

// Multiply-adds counted twice, of MiniLM-like encoders: projections, feed-forward and attention.
double flops(int tokens, int layers, double hidden, double inner) {
  return layers * (2.0 * tokens * (4 * hidden * hidden + 2 * hidden * inner) + 4.0 * tokens * tokens * hidden);
}

void run_step(Engine& engine, const Texts& texts, const std::shared_ptr<const Graph>& graph) {
  const LazyTensor result = graph ? engine.step(texts.batch(), graph) : engine.step(texts.batch());
  (void)result.wait();
}

void lengths(Engine& engine, const std::shared_ptr<const Graph>& graph, int rounds) {
  std::printf("%8s %10s %10s %12s %9s %10s\n", "tokens", "eager ms", "graph ms", "eager/graph", "peak GF/s", "of peak");
  for (int tokens : {8, 16, 32, 64, 128, 256}) {
    const Texts texts(1, tokens);
    std::vector<double> eager, replayed, peaks;
    for (int i = 0; i < rounds; ++i) {
      peaks.push_back(fma_flops(engine.info().threads));  // clocks change with the neighbours: so beside each round
      eager.push_back(seconds_of([&] { run_step(engine, texts, nullptr); }));
      replayed.push_back(seconds_of([&] { run_step(engine, texts, graph); }));
    }
    const double a = median(eager), b = median(replayed), peak = median(peaks);
    std::printf("%8d %10.3f %10.3f %12.3f %9.1f %9.1f%%\n", tokens, a * 1e3, b * 1e3, a / b, peak / 1e9,
                flops(tokens, 6, 384, 1536) / b / peak * 100);
  }
}

void in_flight(Engine& engine, const std::shared_ptr<const Graph>& graph, int rounds) {
  for (int tokens : {16, 128}) {
    const Texts texts(1, tokens);
    std::vector<double> one, two;
    for (int i = 0; i < rounds; ++i) {
      one.push_back(seconds_of([&] {
        for (int n = 0; n < 8; ++n) run_step(engine, texts, graph);
      }));
      two.push_back(seconds_of([&] {
        LazyTensor before = engine.step(texts.batch(), graph);
        for (int n = 1; n < 8; ++n) {
          LazyTensor next = engine.step(texts.batch(), graph);
          (void)before.wait();
          before = next;
        }
        (void)before.wait();
      }));
    }
    std::printf("in flight, %d tokens: one %.3f ms a batch, two %.3f, ratio %.3f\n", tokens, median(one) / 8 * 1e3,
                median(two) / 8 * 1e3, median(one) / median(two));
  }
}

void saturation(Engine& engine, const std::shared_ptr<const Graph>& graph, int rounds) {
  std::printf("%12s %12s\n", "batch tokens", "tokens/s");
  for (int count : {1, 2, 4, 8, 16, 32, 64}) {
    const Texts texts(count, 32);
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) times.push_back(seconds_of([&] { run_step(engine, texts, graph); }));
    std::printf("%12d %12.0f\n", count * 32, count * 32 / median(times));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "engine_bench MODEL [ROUNDS]\n"), 2;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 41;
  for (const char* dtype : {"f32", "bf16"}) {
    const auto engine = Engine::load(argv[1], {.dtype = dtype});
    if (!engine.ok()) return std::fprintf(stderr, "%s\n", std::string(engine.status().message()).c_str()), 1;
    const EngineInfo& info = (*engine)->info();
    std::printf("%s, %s weights, %s kernels\n", info.device.c_str(), info.dtype.c_str(), info.isa.c_str());
    const std::shared_ptr<const Graph> graph = (*engine)->capture({2048, 64, 256});
    lengths(**engine, graph, rounds);
    in_flight(**engine, graph, rounds);
    saturation(**engine, graph, rounds);
  }
  return 0;
}
