// Which file is taken, and what is said where it cannot be.
#include "tokenizer/loading/model_directory.h"

#include <unistd.h>

#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tokenizer/testing/small_sentencepiece.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::tokenizer {
namespace {

class ModelDirectory : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    directory_ = std::filesystem::path(testing::TempDir()) / ("tokenizer_" + name + std::to_string(getpid()));
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void write(const char* name, std::string_view content) {
    std::ofstream(directory_ / name, std::ios::binary) << content;
  }

  std::filesystem::path directory_;
};

TEST_F(ModelDirectory, TakesTheFirstItKnows) {
  EXPECT_TRUE(absl::IsNotFound(Tokenizer::load_directory(directory_).status()));
  write("sentencepiece.bpe.model", small_sentencepiece(1));
  EXPECT_EQ((*Tokenizer::load_directory(directory_))->vocab_size(), 12);
  write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n");
  EXPECT_EQ((*Tokenizer::load_directory(directory_))->vocab_size(), 5);
  write("tokenizer.json", "{}");
  EXPECT_EQ(Tokenizer::load_directory(directory_).status().message(),
            (directory_ / "tokenizer.json").string() + ": tokenizer.json: model is missing");
}

TEST_F(ModelDirectory, ReadsTheConfigBeside) {
  write("tokenizer.model", small_sentencepiece(2));
  EXPECT_THAT(std::string(Tokenizer::load_directory(directory_).status().message()),
              testing::EndsWith("tokenizer.model: tokenizer_class \"\" with a SentencePiece model is not supported"));
  write("tokenizer_config.json", R"({"tokenizer_class":"LlamaTokenizerFast"})");
  const auto tokenizer = Tokenizer::load_directory(directory_);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  EXPECT_EQ((*tokenizer)->leading_special(), 1);
}

}  // namespace
}  // namespace bouquet::tokenizer
