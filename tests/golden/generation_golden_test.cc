// Greedy text as transformers writes it, at every level; the same bits however steps share out the prompts, and through
// the cache as without it.
#include "golden_case.h"
#include "gtest/gtest.h"
#include "rose/device/cpu/isa.h"
#include "tulip/generation.h"

namespace bouquet {
namespace {

namespace fs = std::filesystem;

struct Answer {
  std::vector<int32_t> words;
  std::vector<float> logits;  // that the last word was chosen by
};

struct Steps {
  int32_t sequences;
  int32_t tokens;
};

int32_t greedy(std::span<const float> logits) {
  return static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

std::unique_ptr<rose::Engine> load(const fs::path& model, Steps steps, const std::string& isa, std::string kernels) {
  rose::EngineOptions options{.dtype = "f32", .isa = isa, .kernels = std::move(kernels), .threads = 2};
  options.cache_tokens = 512;
  options.max_batch_tokens = steps.tokens;
  options.max_batch_sequences = steps.sequences;
  auto engine = rose::Engine::load(model, options);
  EXPECT_TRUE(engine.ok()) << model << engine.status();
  return *std::move(engine);
}

std::vector<Answer> generate(rose::Engine& engine, const std::vector<std::vector<int32_t>>& prompts, size_t words) {
  const rose::EngineInfo& info = engine.info();
  tulip::Generation generation(
      {info.cache_blocks, info.table_width, info.model.max_tokens, info.max_batch_sequences, info.max_batch_tokens},
      {});
  for (const auto& ids : prompts) EXPECT_TRUE(generation.add({ids, static_cast<int32_t>(words)}).ok());
  std::vector<Answer> answers(prompts.size());
  while (const auto batch = generation.next()) {
    const rose::LazyTensor logits = engine.step(*batch);
    EXPECT_TRUE(logits.wait().ok());
    std::vector<int32_t> chosen;
    for (int32_t i = 0; i < logits.sequences(); ++i) chosen.push_back(greedy(logits.values(i)));
    for (const tulip::Generated& word : generation.advance(chosen)) {
      answers[word.prompt].words.push_back(word.id);
      const auto row = logits.values(static_cast<int32_t>(word.sequence));
      answers[word.prompt].logits.assign(row.begin(), row.end());
    }
  }
  return answers;
}

class Generators : public testing::TestWithParam<const char*> {
 protected:
  const fs::path folder_ = kGoldenFolder / "generators" / GetParam();
  const GoldenCase golden_ = read_golden(folder_ / "golden.safetensors");
  size_t words_ = 20;

  std::vector<int32_t> words() const {
    const MappedFile mapped = *MappedFile::open(folder_ / "golden.safetensors");
    return tensor_values<int32_t>(*rose::parse_safetensors(mapped.bytes()), "words");
  }

  void expect_golden(const std::vector<Answer>& answers, const std::string& what) const {
    const std::vector<int32_t> all = words();
    for (size_t i = 0; i < answers.size(); ++i) {
      const auto first = all.begin() + static_cast<int64_t>(i * words_);
      EXPECT_EQ(answers[i].words, std::vector<int32_t>(first, first + static_cast<int64_t>(words_))) << what << i;
      for (size_t k = 0; k < golden_.rows[i].size(); ++k) {
        ASSERT_NEAR(answers[i].logits[k], golden_.rows[i][k], 1e-4f * largest_of(golden_.rows[i])) << what << i;
      }
    }
  }
};

TEST_P(Generators, WriteWhatTransformersWrites) {
  for (const rose::cpu::Isa isa : rose::cpu::supported_isas()) {
    const std::string name(rose::cpu::name_of(isa));
    expect_golden(generate(*load(folder_, {4, 64}, name, "fast"), golden_.ids, words_), name);
  }
  expect_golden(generate(*load(folder_, {4, 64}, "auto", "reference"), golden_.ids, words_), "reference");
}

TEST_P(Generators, HaveTheSameBitsHoweverStepsAreCut) {
  const auto alone = generate(*load(folder_, {1, 128}, "auto", "fast"), golden_.ids, words_);
  for (const Steps steps : {Steps{4, 7}, Steps{3, 3}, Steps{2, 33}}) {
    const auto shared = generate(*load(folder_, steps, "auto", "fast"), golden_.ids, words_);
    for (size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(shared[i].words, alone[i].words) << i;
      EXPECT_EQ(shared[i].logits, alone[i].logits) << i << " of " << steps.sequences << " x " << steps.tokens;
    }
  }
}

// The last word's logits once more, from the whole text in one step.
TEST_P(Generators, HaveTheBitsOfTheWholeTextAtOnce) {
  const auto engine = load(folder_, {1, 128}, "auto", "fast");
  const auto answers = generate(*engine, golden_.ids, words_);
  std::vector<std::vector<int32_t>> texts = golden_.ids;
  for (size_t i = 0; i < texts.size(); ++i) {
    texts[i].insert(texts[i].end(), answers[i].words.begin(), answers[i].words.end() - 1);
  }
  const auto whole = generate(*engine, texts, 1);
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(whole[i].logits, answers[i].logits) << i;
}

INSTANTIATE_TEST_SUITE_P(Models, Generators, testing::Values("llama", "llama-tied", "mistral", "qwen2", "qwen3"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(GeneratorsRefuse, WhatIsNoCausalLanguageModel) {
  for (const char* name : {"pool-mean", "qwen2-bidirectional", "gemma3-causal"}) {
    rose::EngineOptions options;
    options.cache_tokens = 64;
    const auto engine = rose::Engine::load(kGoldenFolder / "models" / name, options);
    EXPECT_EQ(engine.status().code(), absl::StatusCode::kUnimplemented) << name << engine.status();
  }
}

}  // namespace
}  // namespace bouquet
