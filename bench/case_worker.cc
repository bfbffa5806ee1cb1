// ROSE for bench/peers/compare.py and bench/models/compare.py: reads cases, then runs one a line of stdin and answers
// its seconds and a check: the sum over its texts of (place + 1) / texts times the unit vector, or the logits of a
// model that gives those.
//
//   case_worker MODEL CASES DTYPE THREADS
//
// CASES holds one case a line: NAME, a tab, texts parted by ';', each the ids of its tokens parted by spaces.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "rose/engine.h"

namespace {

using namespace bouquet::rose;
using Text = std::vector<int32_t>;

constexpr int32_t kBatchTokens = 1024;  // as the server cuts pure bulk

std::map<std::string, std::vector<Text>> read_cases(const char* path) {
  std::map<std::string, std::vector<Text>> cases;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t tab = line.find('\t');
    std::vector<Text>& texts = cases[line.substr(0, tab)];
    std::istringstream rest(line.substr(tab + 1));
    for (std::string ids; std::getline(rest, ids, ';');) {
      std::istringstream words(ids);
      Text& text = texts.emplace_back();
      for (int32_t id; words >> id;) text.push_back(id);
    }
  }
  return cases;
}

struct Packed {
  std::vector<int32_t> ids, cu_seqlens{0};
  std::vector<RowSpec> specs;
  Batch batch() const { return {ids, cu_seqlens, {}, specs}; }
};

// In the order given, cut at kBatchTokens: no sorting by length, for ragged batches need none.
std::vector<Packed> pack(const std::vector<Text>& texts, bool normalize) {
  std::vector<Packed> batches(1);
  for (const Text& text : texts) {
    if (!batches.back().ids.empty() && batches.back().ids.size() + text.size() > kBatchTokens) batches.emplace_back();
    Packed& to = batches.back();
    to.ids.insert(to.ids.end(), text.begin(), text.end());
    to.cu_seqlens.push_back(static_cast<int32_t>(to.ids.size()));
    to.specs.push_back({0, normalize});
  }
  return batches;
}

// Two batches in flight, as the server runs them; returns all vectors, one after the other.
std::vector<float> run(Engine& engine, const std::shared_ptr<const Graph>& graph, const std::vector<Packed>& batches) {
  std::vector<float> vectors;
  std::deque<LazyTensor> in_flight;
  const auto finish_oldest = [&] {
    const LazyTensor& oldest = in_flight.front();
    (void)oldest.wait();
    for (int32_t i = 0; i < oldest.sequences(); ++i) {
      vectors.insert(vectors.end(), oldest.values(i).begin(), oldest.values(i).end());
    }
    in_flight.pop_front();
  };
  for (const Packed& packed : batches) {
    if (in_flight.size() == 2) finish_oldest();
    in_flight.push_back(engine.step(packed.batch(), graph));
  }
  while (!in_flight.empty()) finish_oldest();
  return vectors;
}

std::vector<double> check_of(const std::vector<float>& vectors, size_t width) {
  std::vector<double> sum(width);
  const size_t texts = vectors.size() / width;
  for (size_t i = 0; i < vectors.size(); ++i) {
    sum[i % width] += vectors[i] * static_cast<double>(i / width + 1) / static_cast<double>(texts);
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::fprintf(stderr, "case_worker MODEL CASES DTYPE THREADS\n"), 2;
  const auto engine = Engine::load(argv[1], {.dtype = argv[3], .threads = std::atoi(argv[4])});
  if (!engine.ok()) return std::fprintf(stderr, "%s\n", std::string(engine.status().message()).c_str()), 1;
  const std::shared_ptr<const Graph> graph = (*engine)->capture({kBatchTokens, 1024, 256});
  const auto cases = read_cases(argv[2]);
  std::printf("ready\n"), std::fflush(stdout);
  for (std::string name; std::getline(std::cin, name);) {
    const std::vector<Packed> batches = pack(cases.at(name), (*engine)->info().model.dimensions > 0);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<float> vectors = run(**engine, graph, batches);
    std::printf("%.9f", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    for (double value : check_of(vectors, (*engine)->info().outputs.front().width)) std::printf(" %.7g", value);
    std::printf("\n"), std::fflush(stdout);
  }
  return 0;
}
