// The asynchrony is real: step() returns before a kernel runs, a second step queues behind it, a replay never calls the
// model's forward. And what can't be served right is refused.
#include "rose/engine.h"

#include <atomic>
#include <fstream>
#include <latch>

#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rose/device/cpu/cpu_device.h"
#include "rose/device/cpu/topology.h"
#include "rose/kernels/cpu/cpu_kernels.h"
#include "rose/kernels/forwarding_kernels.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;
const fs::path kModel = fs::path(BOUQUET_SOURCE_DIR) / "tests" / "golden" / "models" / "pool-mean";

// The portable kernels, but embedding waits at a gate, and calls to it (the start of every forward) are counted.
class GatedKernels : public ForwardingKernels {
 public:
  GatedKernels() : ForwardingKernels(cpu::make_kernels(cpu::Isa::kPortable)) {}
  void embed(Stream& stream, const EmbedArgs& args) const override {
    ++forwards;
    static_cast<cpu::CpuStream&>(stream).launch([this](cpu::Worker& worker) {
      if (worker.index != 0) return;
      gate.wait();
      ++kernels_run;
    });
    ForwardingKernels::embed(stream, args);
  }
  mutable std::atomic<int> forwards{0}, kernels_run{0};
  mutable std::latch gate{1};
};

struct Sentence {
  std::vector<int32_t> ids, cu_seqlens;
  RowSpec spec{0, true};
  Batch batch() const { return {ids, cu_seqlens, {}, {&spec, 1}}; }
};

Sentence sentence(std::vector<int32_t> ids) {
  const auto n = static_cast<int32_t>(ids.size());
  return {std::move(ids), {0, n}};
}

std::vector<float> values(const LazyTensor& result) {
  EXPECT_TRUE(result.wait().ok());
  return {result.values(0).begin(), result.values(0).end()};
}

TEST(Engine, StepReturnsBeforeItsKernelsRun) {
  auto kernels = std::make_shared<GatedKernels>();
  const auto engine = *Engine::load(kModel, {.threads = 2, .own_kernels = kernels});
  const Sentence a = sentence({2, 20, 3}), b = sentence({2, 21, 22, 3});
  const LazyTensor first = engine->step(a.batch());
  const LazyTensor second = engine->step(b.batch());
  EXPECT_EQ(kernels->forwards, 2);
  EXPECT_EQ(kernels->kernels_run, 0);
  EXPECT_FALSE(first.ready());
  kernels->gate.count_down();
  const std::vector<float> row_a = values(first), row_b = values(second);
  EXPECT_NE(row_a, row_b);
  EXPECT_EQ(values(engine->step(a.batch())), row_a);  // neither saw the other's input
  EXPECT_EQ(values(engine->step(b.batch())), row_b);
}

// Counts the matrices that are packed.
class CountingKernels : public ForwardingKernels {
 public:
  CountingKernels() : ForwardingKernels(cpu::make_kernels(cpu::Isa::kPortable)) {}
  absl::StatusOr<PackedMatrix> pack(Device& device, DType dtype, int32_t n, int32_t k, const float* w) const override {
    ++packed;
    return ForwardingKernels::pack(device, dtype, n, k, w);
  }
  mutable int packed = 0;
};

TEST(Engine, EnginesWithOneStoreShareWeightsAndAgree) {
  const auto kernels = std::make_shared<CountingKernels>();
  auto store = std::make_shared<WeightStore>();
  auto first = *Engine::load(kModel, {.threads = 1, .weights = store, .own_kernels = kernels});
  const int of_one = kernels->packed;
  EXPECT_GT(of_one, 0);
  const auto second = *Engine::load(kModel, {.threads = 1, .weights = store, .own_kernels = kernels});
  EXPECT_EQ(kernels->packed, of_one);
  store.reset();
  const auto alone = *Engine::load(kModel, {.threads = 1, .own_kernels = kernels});
  EXPECT_EQ(kernels->packed, 2 * of_one);
  const Sentence a = sentence({2, 20, 3});
  const std::vector<float> row = values(alone->step(a.batch()));
  EXPECT_EQ(values(first->step(a.batch())), row);
  EXPECT_EQ(values(second->step(a.batch())), row);
  first.reset();
  EXPECT_EQ(values(second->step(a.batch())), row);
}

TEST(Engine, StaysOnTheProcessorsItWasGiven) {
  EXPECT_FALSE(Engine::load(kModel, {.processors = {100000}}).ok());
  const int here = cpu::read_topology().processors.front();
  const auto engine = *Engine::load(kModel, {.processors = {here}});
  EXPECT_EQ(engine->info().threads, 1);
  EXPECT_FALSE(Engine::load(kModel, {.threads = 2, .processors = {here}}).ok());
}

TEST(Engine, AReplayNeverCallsTheForward) {
  auto kernels = std::make_shared<GatedKernels>();
  kernels->gate.count_down();
  const auto engine = *Engine::load(kModel, {.threads = 2, .own_kernels = kernels});
  const Sentence a = sentence({2, 20, 3}), b = sentence({2, 21, 22, 23, 3});
  const std::vector<float> eager_a = values(engine->step(a.batch())), eager_b = values(engine->step(b.batch()));
  const std::shared_ptr<const Graph> graph = engine->capture({64, 1, 64});
  EXPECT_EQ(kernels->forwards, 3);
  EXPECT_EQ(kernels->kernels_run, 2);  // capturing runs nothing
  EXPECT_GT(graph->launches(), 10u);
  const LazyTensor first = engine->step(a.batch(), graph), second = engine->step(b.batch(), graph);
  EXPECT_EQ(values(first), eager_a);
  EXPECT_EQ(values(second), eager_b);
  EXPECT_EQ(kernels->forwards, 3);
  EXPECT_EQ(kernels->kernels_run, 4);
}

TEST(Engine, ResultsOutliveTheEngineAndKeepTheirBuffers) {
  auto engine = *Engine::load(kModel, {.threads = 1});
  std::vector<LazyTensor> held;
  for (int32_t i = 0; i < 5; ++i) held.push_back(engine->step(sentence({2, 20 + i, 3}).batch()));
  engine.reset();
  for (size_t i = 1; i < held.size(); ++i) EXPECT_NE(values(held[0]), values(held[i]));
}

TEST(Engine, CutsBeforeItNormalises) {
  const auto engine = *Engine::load(kModel, {.threads = 1});
  Sentence a = sentence({2, 20, 3});
  const std::vector<float> full = values(engine->step(a.batch()));
  a.spec.dimensions = 8;
  const std::vector<float> cut = values(engine->step(a.batch()));
  float squares = 0;
  for (int i = 0; i < 8; ++i) squares += cut[i] * cut[i];
  EXPECT_NEAR(squares, 1, 1e-5);
  EXPECT_NEAR(cut[0] / cut[1], full[0] / full[1], 1e-3);
  EXPECT_EQ(cut[8], 0);
}

// A copy of the tiny model with one file changed.
class RefusalTest : public testing::Test {
 protected:
  void SetUp() override { fs::copy(kModel, folder_, fs::copy_options::recursive); }
  void replace(const std::string& from, const std::string& to) {
    std::ifstream in(folder_ / "config.json");
    std::string text((std::istreambuf_iterator<char>(in)), {});
    ASSERT_NE(text.find(from), std::string::npos);
    std::ofstream(folder_ / "config.json") << text.replace(text.find(from), from.size(), to);
  }
  std::string refusal(EngineOptions options = {}) {
    return std::string(Engine::load(folder_, options).status().message());
  }
  ScratchFolder folder_;
};

TEST_F(RefusalTest, OtherArchitecturesAndVariants) {
  replace("\"model_type\": \"bert\"", "\"model_type\": \"roformer\"");
  EXPECT_THAT(refusal(), testing::HasSubstr("roformer"));
}

TEST_F(RefusalTest, RelativePositions) {
  replace("\"add_cross_attention\": false", "\"position_embedding_type\": \"relative_key\"");
  EXPECT_THAT(refusal(), testing::HasSubstr("relative_key"));
}

TEST_F(RefusalTest, ShapesThatDisagree) {
  replace("\"intermediate_size\": 64", "\"intermediate_size\": 65");
  EXPECT_THAT(refusal(), testing::HasSubstr("intermediate.dense.weight"));
}

TEST_F(RefusalTest, TensorsNobodyUses) {
  replace("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 1");
  EXPECT_THAT(refusal(), testing::HasSubstr("encoder.layer.1"));
}

TEST_F(RefusalTest, OptionsThatCannotBe) {
  EXPECT_THAT(refusal({.dtype = "f8"}), testing::HasSubstr("f8"));
  EXPECT_THAT(refusal({.isa = "sse9"}), testing::HasSubstr("sse9"));
  EXPECT_THAT(refusal({.max_length = 100000}), testing::HasSubstr("positions"));
  EXPECT_EQ((*Engine::load(folder_, {.max_length = 64}))->info().model.max_tokens, 64);
}

// A span's row is the row of its tokens alone only where attention sees no others, so these compare with the tokens'
// own vectors: a mean over a span is the mean of them.
TEST(Engine, GivesTokensAndSpansBesideSequences) {
  const auto engine = *Engine::load(kModel, {.threads = 2});
  ASSERT_EQ(engine->info().width(Output::kTokens), engine->info().width(Output::kEmbedding));
  EXPECT_EQ(engine->info().width(Output::kLogits), 0);
  const std::vector<int32_t> ids = {2, 5, 6, 7, 3, 2, 9, 3}, cu_seqlens = {0, 5, 8};
  const std::vector<int32_t> spans = {0, 5, 1, 3, 2, 3};
  const auto step = [&](const RowSpec& first, const RowSpec& second) {
    const RowSpec specs[] = {first, second};
    LazyTensor result = engine->step({ids, cu_seqlens, {}, specs});
    EXPECT_TRUE(result.wait().ok());
    return result;
  };
  const size_t width = static_cast<size_t>(engine->info().width(Output::kTokens));
  const LazyTensor mixed = step({.output = Output::kTokens}, {});
  const LazyTensor by_span = step({.spans = spans}, {.output = Output::kTokens});
  ASSERT_EQ(mixed.values(0).size(), 5 * width);
  ASSERT_EQ(mixed.values(1).size(), width);
  ASSERT_EQ(by_span.values(0).size(), 3 * width);
  ASSERT_EQ(by_span.values(1).size(), 3 * width);
  for (size_t row = 0; row < 3; ++row) {
    for (size_t i = 0; i < width; ++i) {
      float mean = 0;
      for (int32_t t = spans[2 * row]; t < spans[2 * row + 1]; ++t) mean += mixed.values(0)[size_t(t) * width + i];
      mean /= static_cast<float>(spans[2 * row + 1] - spans[2 * row]);
      EXPECT_NEAR(by_span.values(0)[row * width + i], mean, 1e-5) << row;
    }
  }
  for (size_t i = 0; i < width; ++i) {
    const auto tokens = by_span.values(1);
    EXPECT_NEAR(mixed.values(1)[i], (tokens[i] + tokens[width + i] + tokens[2 * width + i]) / 3, 1e-5);
  }
}

}  // namespace
}  // namespace bouquet::rose
