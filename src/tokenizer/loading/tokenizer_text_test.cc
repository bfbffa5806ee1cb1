// The parts put together load; templates name their types.
#include "tokenizer/loading/tokenizer_text.h"

#include "gtest/gtest.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::tokenizer {
namespace {

TEST(TokenizerText, Loads) {
  TokenizerText text;
  text.model = R"({"type":"WordLevel","unk_token":"?","vocab":{"?":0,"a":1,"<c>":2}})";
  text.pre_tokenizer = R"({"type":"WhitespaceSplit"})";
  text.post_processor = *template_text("<c> A", "<c> A <c>:3 B:1", {{"<c>", 2}});
  text.add({{.content = "<c>", .special = true}, {.content = "<c>"}, {.content = "x\"y"}});
  const auto tokenizer = Tokenizer::from_json(text.json());
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  Encoding encoding;
  (*tokenizer)->encode_pair("a", "x\"y", {}, &encoding);
  EXPECT_EQ(encoding.ids, (std::vector<int32_t>{2, 1, 2, 3}));
  EXPECT_EQ(encoding.type_ids, (std::vector<uint8_t>{0, 0, 3, 1}));
  EXPECT_TRUE((*tokenizer)->is_special(2));
}

TEST(TokenizerText, TemplatesNeedTheirTokens) {
  EXPECT_EQ(template_text("A <d>", "A B", {}).status().message(), "the vocabulary lacks <d>");
}

}  // namespace
}  // namespace bouquet::tokenizer
