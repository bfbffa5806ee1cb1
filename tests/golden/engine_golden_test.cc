// The engine against vectors made by sentence-transformers and transformers: every pooling, head and module, every ISA
// level, f32 and bf16, alone and in batches, eager and replayed.
#include <cmath>
#include <numeric>

#include "golden_case.h"
#include "gtest/gtest.h"
#include "rose/device/cpu/isa.h"
#include "rose/engine.h"

namespace bouquet {
namespace {

namespace fs = std::filesystem;
using rose::Engine;
using rose::EngineOptions;

struct Setting {
  std::string kernels;
  std::string isa;
  std::string dtype;
};

std::vector<Setting> settings() {
  std::vector<Setting> all = {{"reference", "auto", "f32"}};
  for (const rose::cpu::Isa isa : rose::cpu::supported_isas()) {
    all.push_back({"fast", std::string(name_of(isa)), "f32"});
    all.push_back({"fast", std::string(name_of(isa)), "bf16"});
  }
  return all;
}

std::unique_ptr<Engine> load(const fs::path& model, const Setting& setting, int threads = 2) {
  EngineOptions options{.dtype = setting.dtype, .isa = setting.isa, .kernels = setting.kernels, .threads = threads};
  auto engine = Engine::load(model, options);
  if (!engine.ok()) ADD_FAILURE() << model << ": " << engine.status();
  return engine.ok() ? *std::move(engine) : nullptr;
}

std::vector<std::vector<float>> run(Engine& engine, const FlatBatch& batch, bool normalize, bool as_graph) {
  const std::vector<rose::RowSpec> specs(batch.lengths.size(), {0, normalize});
  const rose::Batch b{batch.ids, batch.cu_seqlens, batch.types, specs};
  const rose::LazyTensor result = as_graph ? engine.step(b, engine.capture({1, 1, 1})) : engine.step(b);
  EXPECT_TRUE(result.wait().ok());
  std::vector<std::vector<float>> rows;
  for (int32_t i = 0; i < result.sequences(); ++i) rows.emplace_back(result.values(i).begin(), result.values(i).end());
  return rows;
}

double cosine_deviation(const std::vector<float>& a, const std::vector<float>& b) {
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) ab += double(a[i]) * b[i], aa += double(a[i]) * a[i], bb += double(b[i]) * b[i];
  return 1 - ab / std::sqrt(aa * bb);
}

// f32: every element within 1e-5 of the largest magnitude 1 and above; logits within 1e-4; bf16 by cosine.
void check_rows(const std::vector<std::vector<float>>& got, const GoldenCase& golden, const Setting& setting,
                float tolerance, const std::string& what) {
  ASSERT_EQ(got.size(), golden.rows.size()) << what;
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].size(), golden.rows[i].size()) << what;
    if (setting.dtype == "bf16") {
      if (got[i].size() > 8) {
        EXPECT_LT(cosine_deviation(got[i], golden.rows[i]), 0.001) << what << " row " << i;
      }
      continue;
    }
    for (size_t k = 0; k < got[i].size(); ++k) {
      ASSERT_NEAR(got[i][k], golden.rows[i][k], tolerance) << what << " row " << i << " element " << k;
    }
  }
}

void check_model(const fs::path& model, const fs::path& golden_file) {
  const GoldenCase golden = read_golden(golden_file);
  for (const Setting& setting : settings()) {
    if (setting.kernels == "reference" && golden.rows[0].size() > 100)
      continue;  // the naive kernels need minutes there
    const auto engine = load(model, setting);
    ASSERT_NE(engine, nullptr);
    const float tolerance = engine->info().model.dimensions > 0 ? 1e-5f : 1e-4f;
    for (const bool as_graph : {false, true}) {
      const std::string what =
          model.filename().string() + " " + setting.kernels + " " + setting.isa + " " + setting.dtype;
      check_rows(run(*engine, FlatBatch(golden), engine->info().model.normalize, as_graph), golden, setting, tolerance,
                 what);
    }
  }
}

TEST(Golden, TinyModels) {
  int models = 0;
  for (const auto& entry : fs::directory_iterator(kGoldenFolder / "models")) {
    check_model(entry.path(), entry.path() / "golden.safetensors");
    ++models;
  }
  EXPECT_GE(models, 14);
}

TEST(Golden, TheRealModel) {
  const auto model = real_model();
  if (!model) GTEST_SKIP() << "BOUQUET_TEST_MODEL names no model directory";
  check_model(*model, kGoldenFolder / "minilm.safetensors");
}

// The same bits alone and in any batch, with any number of threads, eager or replayed.
void check_invariance(const fs::path& model, const fs::path& golden_file) {
  const GoldenCase golden = read_golden(golden_file);
  for (const Setting& setting : settings()) {
    if (setting.kernels == "reference" && golden.rows[0].size() > 100) continue;
    const auto one = load(model, setting, 1), three = load(model, setting, 3);
    const auto all = run(*three, FlatBatch(golden), true, true);
    for (size_t i = 0; i < golden.ids.size(); ++i) {
      const FlatBatch alone(GoldenCase{{golden.ids[i]}, {golden.types[i]}, {}});
      EXPECT_EQ(run(*one, alone, true, false)[0], all[i]) << setting.isa << " " << setting.dtype << " input " << i;
      EXPECT_EQ(run(*three, alone, true, i % 2)[0], all[i]) << setting.isa << " " << setting.dtype << " input " << i;
    }
  }
}

TEST(Golden, BatchInvarianceToTheBit) {
  check_invariance(kGoldenFolder / "models" / "pool-mean",
                   kGoldenFolder / "models" / "pool-mean" / "golden.safetensors");
  check_invariance(kGoldenFolder / "models" / "reranker", kGoldenFolder / "models" / "reranker" / "golden.safetensors");
}

TEST(Golden, BatchInvarianceOfTheRealModel) {
  const auto model = real_model();
  if (!model) GTEST_SKIP() << "BOUQUET_TEST_MODEL names no model directory";
  check_invariance(*model, kGoldenFolder / "minilm.safetensors");
}

}  // namespace
}  // namespace bouquet
