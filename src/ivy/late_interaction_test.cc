// What the files of each kind of directory say, and that a gateway's tokens are those of the original.
#include "ivy/late_interaction.h"

#include <cstring>

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/prepare.h"
#include "simdjson.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::ivy {
namespace {

const std::filesystem::path kModels = std::filesystem::path(BOUQUET_SOURCE_DIR) / "tests" / "golden" / "models";

// The int32 or uint8 values of one tensor of a safetensors file.
template <class T>
std::vector<T> tensor(const std::string& file, const std::string& name) {
  uint64_t header = 0;
  std::memcpy(&header, file.data(), sizeof(header));
  simdjson::dom::parser parser;
  const simdjson::dom::element root = parser.parse(file.substr(8, header)).value();
  const simdjson::dom::array range = root[name]["data_offsets"].get_array().value();
  const uint64_t begin = uint64_t(range.at(0)), end = uint64_t(range.at(1));
  std::vector<T> values((end - begin) / sizeof(T));
  std::memcpy(values.data(), file.data() + 8 + header + begin, end - begin);
  return values;
}

struct Case {
  const char* model;
  bool query;
};

class GoldenTokens : public testing::TestWithParam<Case> {};

TEST_P(GoldenTokens, AreThoseOfTheOriginal) {
  const auto [model, query] = GetParam();
  const std::string stem = query ? "golden-tokens-query" : "golden-tokens-document";
  const auto tokenizer = tokenizer::Tokenizer::load_directory(kModels / model);
  const auto recipe = read_model_recipe(kModels / model);
  ASSERT_TRUE(tokenizer.ok() && recipe.ok()) << recipe.status();
  simdjson::dom::parser parser;
  const simdjson::dom::element golden = parser.load((kModels / model / (stem + ".json")).string()).value();
  Job job;
  job.task = Task::kMultiVector;
  job.options.is_query = query;
  const simdjson::dom::array texts = golden["texts"].get_array().value();
  for (const simdjson::dom::element text : texts) {
    job.inputs.emplace_back(std::string(std::string_view(text)));
  }
  const auto prepared = prepare(job, Kitchen{**tokenizer, *recipe, 72, 1000});
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  const std::string file = *read_file(kModels / model / (stem + ".safetensors"));
  EXPECT_EQ(prepared->ids, tensor<int32_t>(file, "ids"));
  EXPECT_EQ(prepared->lengths, tensor<int32_t>(file, "lengths"));
  EXPECT_EQ(prepared->kept, tensor<uint8_t>(file, "kept"));
  const auto attended = tensor<uint8_t>(file, "attended");
  size_t at = 0;
  for (size_t i = 0; i < prepared->lengths.size(); ++i) {
    const auto first = attended.begin() + at, last = first + prepared->lengths[i];
    EXPECT_EQ(prepared->key_counts[i], std::count(first, last, 1)) << i;
    at += prepared->lengths[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenTokens,
                         testing::Values(Case{"colbert", true}, Case{"colbert", false}, Case{"colbert-pylate", true},
                                         Case{"colbert-pylate", false}, Case{"colbert-stanford", true},
                                         Case{"colbert-stanford", false}, Case{"colbert-modernbert", true},
                                         Case{"colbert-modernbert", false}),
                         [](const auto& info) {
                           std::string name =
                               std::string(info.param.model) + (info.param.query ? "_query" : "_document");
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(LateInteraction, OtherModelsHaveDefaults) {
  const auto how = read_late_interaction(kModels / "pool-mean");
  ASSERT_TRUE(how.ok());
  EXPECT_EQ(how->filling, Filling::kNone);
  EXPECT_TRUE(how->skipped_words.empty());
  EXPECT_TRUE(read_late_interaction(kModels / "bge-m3")->drops_first);
}

}  // namespace
}  // namespace bouquet::ivy
