// The engine against vectors made by sentence-transformers and transformers: every pooling, head and module, every ISA
// level, f32 and bf16, alone and in batches, eager and replayed.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <set>

#include "fmt/format.h"
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

// f32: every element within 1e-5 of the row's largest magnitude; logits within 1e-4; bf16 by cosine.
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
    const float allowed = tolerance * largest_of(golden.rows[i]);
    for (size_t k = 0; k < got[i].size(); ++k) {
      ASSERT_NEAR(got[i][k], golden.rows[i][k], allowed) << what << " row " << i << " element " << k;
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

// Every golden file of a directory that holds rows: golden.safetensors, and those with one of the model's prompts.
std::vector<fs::path> files_with_rows(const fs::path& model) {
  std::vector<fs::path> files;
  for (const char* name : {"golden.safetensors", "golden-query.safetensors", "golden-document.safetensors"}) {
    if (fs::exists(model / name)) files.push_back(model / name);
  }
  return files;
}

std::vector<fs::path> tiny_models() {
  std::vector<fs::path> models;
  for (const auto& entry : fs::directory_iterator(kGoldenFolder / "models")) models.push_back(entry.path());
  std::sort(models.begin(), models.end());
  return models;
}

class TinyModel : public testing::TestWithParam<fs::path> {};

TEST_P(TinyModel, GivesTheRowsOfItsOriginal) {
  for (const fs::path& file : files_with_rows(GetParam())) check_model(GetParam(), file);
}

INSTANTIATE_TEST_SUITE_P(Golden, TinyModel, testing::ValuesIn(tiny_models()), [](const auto& info) {
  std::string name = info.param.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

// ids and lengths of a golden file as one batch, every sequence with the same spec.
struct TokenBatch {
  explicit TokenBatch(const rose::TensorMap& tensors)
      : ids(tensor_values<int32_t>(tensors, "ids")),
        lengths(tensor_values<int32_t>(tensors, "lengths")),
        cu_seqlens{0},
        specs(lengths.size()) {
    for (const int32_t length : lengths) cu_seqlens.push_back(cu_seqlens.back() + length);
  }
  rose::Batch batch() const { return {ids, cu_seqlens, {}, specs}; }
  std::vector<int32_t> ids, lengths, cu_seqlens;
  std::vector<rose::RowSpec> specs;
};

void expect_near(std::span<const float> got, std::span<const float> want, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], 1e-5f) << what << " value " << i;
}

rose::LazyTensor run_all(Engine& engine, const TokenBatch& batch) {
  rose::LazyTensor result = engine.step(batch.batch());
  EXPECT_TRUE(result.wait().ok());
  return result;
}

TEST(Golden, Bgem3SparseWeightsAndTokenVectors) {
  const fs::path model = kGoldenFolder / "models" / "bge-m3";
  const MappedFile sparse_file = *MappedFile::open(model / "golden-sparse.safetensors");
  const MappedFile colbert_file = *MappedFile::open(model / "golden-colbert.safetensors");
  const rose::TensorMap sparse = *rose::parse_safetensors(sparse_file.bytes());
  const rose::TensorMap colbert = *rose::parse_safetensors(colbert_file.bytes());
  const auto weights = tensor_values<float>(sparse, "weights"), vectors = tensor_values<float>(colbert, "tokens");
  for (const Setting& setting : settings()) {
    if (setting.dtype != "f32") continue;
    const auto engine = load(model, setting);
    TokenBatch lexical(sparse), tokens(colbert);
    for (rose::RowSpec& spec : lexical.specs) spec.output = rose::Output::kLexical;
    for (rose::RowSpec& spec : tokens.specs) spec = {0, true, rose::Output::kMultiVector};
    const rose::LazyTensor got_weights = run_all(*engine, lexical), got_vectors = run_all(*engine, tokens);
    const auto width = static_cast<size_t>(engine->info().width(rose::Output::kMultiVector));
    size_t token = 0, vector = 0;
    for (int32_t i = 0; i < got_weights.sequences(); ++i) {
      const auto length = static_cast<size_t>(lexical.lengths[i]);
      expect_near(got_weights.values(i), std::span(weights).subspan(token, length), setting.isa);
      // the first token's vector is not used
      expect_near(got_vectors.values(i).subspan(width),
                  std::span(vectors).subspan(vector * width, (length - 1) * width), setting.isa);
      token += length;
      vector += length - 1;
    }
  }
}

TEST(Golden, VectorsOfChunksThatSeeEachOther) {
  const fs::path model = kGoldenFolder / "models" / "pplx-embed";
  const MappedFile file = *MappedFile::open(model / "golden-context.safetensors");
  const rose::TensorMap tensors = *rose::parse_safetensors(file.bytes());
  const auto rows = tensor_values<float>(tensors, "rows");
  const auto places = tensor_values<int32_t>(tensors, "spans");  // [chunks][document, begin, end]
  TokenBatch batch(tensors);
  std::vector<std::vector<int32_t>> spans(batch.specs.size());
  for (size_t i = 0; i < places.size(); i += 3) {
    spans[places[i]].push_back(places[i + 1]);
    spans[places[i]].push_back(places[i + 2]);
  }
  for (size_t i = 0; i < spans.size(); ++i) batch.specs[i].spans = spans[i];
  const auto engine = load(model, {"fast", "auto", "f32"});
  const rose::LazyTensor result = run_all(*engine, batch);
  size_t at = 0;
  for (int32_t i = 0; i < result.sequences(); ++i) {
    expect_near(result.values(i), std::span(rows).subspan(at, result.values(i).size()), "document");
    at += result.values(i).size();
  }
  EXPECT_EQ(at, rows.size());
}

// Vectors of every token; the file leaves out those that the original drops.
void check_token_vectors(const fs::path& model, const fs::path& golden_file) {
  const MappedFile file = *MappedFile::open(golden_file);
  const rose::TensorMap tensors = *rose::parse_safetensors(file.bytes());
  const auto want = tensor_values<float>(tensors, "tokens");
  const auto kept = tensor_values<uint8_t>(tensors, "kept"), attended = tensor_values<uint8_t>(tensors, "attended");
  TokenBatch batch(tensors);
  for (size_t i = 0; i < batch.specs.size(); ++i) {
    const auto first = attended.begin() + batch.cu_seqlens[i], last = attended.begin() + batch.cu_seqlens[i + 1];
    batch.specs[i] = {0, true, rose::Output::kMultiVector, static_cast<int32_t>(std::count(first, last, 1))};
  }
  for (const Setting& setting : settings()) {
    if (setting.dtype != "f32") continue;
    const auto engine = load(model, setting);
    ASSERT_NE(engine, nullptr);
    const rose::LazyTensor result = run_all(*engine, batch);
    const auto width = static_cast<size_t>(engine->info().width(rose::Output::kMultiVector));
    size_t row = 0;
    for (int32_t i = 0; i < result.sequences(); ++i) {
      for (int32_t t = 0; t < batch.lengths[i]; ++t) {
        if (!kept[batch.cu_seqlens[i] + t]) continue;
        expect_near(result.values(i).subspan(size_t(t) * width, width), std::span(want).subspan(row++ * width, width),
                    model.filename().string() + " " + setting.isa);
      }
    }
    EXPECT_EQ(row * width, want.size());
  }
}

TEST_P(TinyModel, GivesTheTokenVectorsOfItsOriginal) {
  for (const char* name : {"golden-tokens-query.safetensors", "golden-tokens-document.safetensors"}) {
    if (fs::exists(GetParam() / name)) check_token_vectors(GetParam(), GetParam() / name);
  }
}

TEST(Golden, AdaptersMergedByTask) {
  const fs::path model = kGoldenFolder / "models" / "jina-v3";
  for (const char* task : {"retrieval.query", "text-matching"}) {
    const GoldenCase golden = read_golden(model / fmt::format("golden-{}.safetensors", task));
    auto engine = Engine::load(model, {.dtype = "f32", .adapter = task, .threads = 2});
    ASSERT_TRUE(engine.ok()) << engine.status();
    check_rows(run(**engine, FlatBatch(golden), true, false), golden, {"fast", "auto", "f32"}, 1e-5f, task);
  }
  EXPECT_FALSE(Engine::load(model, {.adapter = "no-such-task"}).ok());
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
    ASSERT_TRUE(one && three);
    const auto all = run(*three, FlatBatch(golden), true, true);
    for (size_t i = 0; i < golden.ids.size(); ++i) {
      const FlatBatch alone(GoldenCase{{golden.ids[i]}, {golden.types[i]}, {}});
      EXPECT_EQ(run(*one, alone, true, false)[0], all[i]) << setting.isa << " " << setting.dtype << " input " << i;
      EXPECT_EQ(run(*three, alone, true, i % 2)[0], all[i]) << setting.isa << " " << setting.dtype << " input " << i;
    }
  }
}

TEST_P(TinyModel, GivesTheSameBitsInAnyBatch) {
  const std::vector<fs::path> files = files_with_rows(GetParam());
  if (!files.empty()) check_invariance(GetParam(), files.front());
}

TEST(Golden, BatchInvarianceOfTheRealModel) {
  const auto model = real_model();
  if (!model) GTEST_SKIP() << "BOUQUET_TEST_MODEL names no model directory";
  check_invariance(*model, kGoldenFolder / "minilm.safetensors");
}

}  // namespace
}  // namespace bouquet
