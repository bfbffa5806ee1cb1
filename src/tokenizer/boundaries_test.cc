// What is safe, and that added tokens take places away.
#include "tokenizer/boundaries.h"

#include "gtest/gtest.h"
#include "tokenizer/normalizers/bert_normalizer.h"
#include "tokenizer/normalizers/simple_normalizers.h"
#include "tokenizer/pre_tokenizers/bert_pre_tokenizer.h"
#include "tokenizer/pre_tokenizers/metaspace_pre_tokenizer.h"

namespace bouquet::tokenizer {
namespace {

AddedTokens added(const std::string& content, bool lstrip) {
  simdjson::dom::parser parser;
  const std::string json = R"({"added_tokens":[{"id":0,"single_word":false,"rstrip":false,"normalized":false,)"
                           R"("special":true,"content":")" +
                           content + R"(","lstrip":)" + (lstrip ? "true" : "false") + "}]}";
  return *AddedTokens::from_json(*JsonObject::of(parser.parse(json).value(), ""), Vocabulary(), nullptr);
}

std::vector<size_t> safe_places(const AddedTokens& tokens, std::string_view text) {
  const BertNormalizer normalizer({});
  const BertPreTokenizer pre_tokenizer;
  const Boundaries boundaries(tokens, &normalizer, &pre_tokenizer);
  std::vector<size_t> places;
  for (size_t at = boundaries.next(text, 0); at < text.size(); at = boundaries.next(text, at + 1)) places.push_back(at);
  for (const size_t place : places) EXPECT_EQ(boundaries.previous(text, place), place);
  EXPECT_EQ(boundaries.previous(text, 0), 0);
  return places;
}

TEST(Boundaries, SafePlaces) {
  const AddedTokens none;
  EXPECT_EQ(safe_places(none, "ab cd"), (std::vector<size_t>{3}));
  EXPECT_EQ(safe_places(none, "ab,cd. \ne"), (std::vector<size_t>{3, 8}));
  EXPECT_EQ(safe_places(none, "\xE5\x8C\x97\xE4\xBA\xAC\xE3\x81\x8B"), (std::vector<size_t>{3}));
  EXPECT_EQ(safe_places(none,
                        "a_b\v"
                        "c\xCC\x81 \xCC\x81"),
            (std::vector<size_t>{}));
  EXPECT_EQ(safe_places(none, "a \xFFz \xC3"), (std::vector<size_t>{}));
}

TEST(Boundaries, AddedTokensTakePlacesAway) {
  EXPECT_EQ(safe_places(added("x,y", false), "b,c d"), (std::vector<size_t>{4}));
  EXPECT_EQ(safe_places(added("x y", false), "b,c d"), (std::vector<size_t>{}));
  EXPECT_EQ(safe_places(added("d", true), "b,c d e"), (std::vector<size_t>{2, 6}));
  EXPECT_EQ(safe_places(added("\xE5\x8C\x97", false), "b,c d"), (std::vector<size_t>{4}));
}

TEST(Boundaries, NothingIsSafeWithoutPreTokenizer) {
  const Boundaries boundaries(AddedTokens(), nullptr, nullptr);
  EXPECT_EQ(boundaries.next("a b c", 0), 5);
  EXPECT_EQ(boundaries.previous("a b c", 5), 0);
}

TEST(Boundaries, BeforeASingleSpaceWhereSpacesBeginWords) {
  const AddedTokens none;
  const MetaspacePreTokenizer pre_tokenizer({});
  const Boundaries boundaries(none, nullptr, &pre_tokenizer);
  EXPECT_EQ(boundaries.next("ab cd", 1), 2);
  EXPECT_EQ(boundaries.next("ab  cd, e", 1), 7);
  const StripNormalizer strip(true, true);
  EXPECT_EQ(Boundaries(none, &strip, &pre_tokenizer).next("ab cd", 1), 5);
}

}  // namespace
}  // namespace bouquet::tokenizer
