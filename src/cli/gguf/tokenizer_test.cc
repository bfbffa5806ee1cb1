// The same ids as the tokenizer.json it was made of; what is not known is named.
#include "cli/gguf/tokenizer.h"

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rose/weights/gguf.h"

namespace bouquet::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

namespace fs = std::filesystem;
const fs::path kGolden = fs::path(BOUQUET_SOURCE_DIR) / "tests/golden";

std::vector<int32_t> pair_ids(const tokenizer::Tokenizer& tokenizer) {
  tokenizer::Encoding encoding;
  tokenizer.encode_pair("one engine's traffic", "Two kinds, 1234 \u00e9", {}, &encoding);
  return encoding.ids;
}

TEST(GgufTokenizer, HasTheIdsOfTokenizerJson) {
  for (const auto& [file, folder] :
       {std::pair{"bert", "pool-mean"}, {"llama", "llama"}, {"qwen3", "qwen3-embedding"}}) {
    const auto here = load_gguf_tokenizer(kGolden / "gguf" / (std::string(file) + ".gguf"));
    ASSERT_TRUE(here.ok()) << here.status();
    const auto there = *tokenizer::Tokenizer::load_directory(kGolden / "models" / folder);
    for (const char* text : {"", "a", "Two kinds of TRAFFIC:  12345\n\n it's", "caf\u00e9 e\u0301 \u5317"}) {
      std::vector<int32_t> ours, theirs;
      (*here)->encode_ids(text, {}, &ours);
      there->encode_ids(text, {}, &theirs);
      EXPECT_EQ(ours, theirs) << file << ": " << text;
    }
    if (std::string(file) == "bert") EXPECT_EQ(pair_ids(**here), pair_ids(*there));
  }
}

TEST(GgufTokenizer, StopsAtItsEnd) {
  EXPECT_THAT(*read_gguf_stop_ids(kGolden / "gguf/qwen3.gguf"), ElementsAre(136));
  EXPECT_THAT(*read_gguf_stop_ids(kGolden / "gguf/llama-writes.gguf"), ElementsAre());
}

TEST(GgufTokenizer, NamesWhatItDoesNotKnow) {
  const auto none = load_gguf_tokenizer(kGolden / "weights/types.gguf");
  EXPECT_EQ(none.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(none.status().message()), HasSubstr("types.gguf: tokenizer.ggml.model"));
}

}  // namespace
}  // namespace bouquet::cli
