// Text in whole characters, whatever the tokens' borders.
#include "cli/generate/text_stream.h"

#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

// Byte-level: tokens for "a", " b", and the three bytes of the euro sign.
std::unique_ptr<const tokenizer::Tokenizer> byte_tokens() {
  auto made = tokenizer::Tokenizer::from_json(R"({
    "added_tokens": [{"id": 5, "content": "<end>", "special": true, "single_word": false, "lstrip": false,
                      "rstrip": false, "normalized": false}],
    "normalizer": null, "post_processor": null,
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
    "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
    "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
              "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
              "vocab": {"a": 0, "\u0120b": 1, "\u00e2": 2, "\u0124": 3, "\u00ac": 4}, "merges": []}})");
  EXPECT_TRUE(made.ok()) << made.status();
  return *std::move(made);
}

TEST(TextStream, HoldsBackHalfACharacter) {
  const auto tokens = byte_tokens();
  TextStream stream(*tokens, {0, 0});
  EXPECT_EQ(stream.add(1), " b");
  EXPECT_EQ(stream.add(2), "");
  EXPECT_EQ(stream.add(3), "");
  EXPECT_EQ(stream.add(4), "€");
  EXPECT_EQ(stream.add(5), "");
  EXPECT_EQ(stream.add(0), "a");
  EXPECT_EQ(stream.rest(), "");
}

TEST(TextStream, GivesTheRestOfABrokenOne) {
  const auto tokens = byte_tokens();
  TextStream stream(*tokens, {0});
  EXPECT_EQ(stream.add(2), "");
  EXPECT_EQ(stream.rest(), "\uFFFD");
}

}  // namespace
}  // namespace bouquet::cli
