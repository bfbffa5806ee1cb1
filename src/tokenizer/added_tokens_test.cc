// Longest at the leftmost place, the flags, and how ids are given.
#include "tokenizer/added_tokens.h"

#include "gtest/gtest.h"
#include "tokenizer/normalizers/simple_normalizers.h"

namespace bouquet::tokenizer {
namespace {

using Found = std::vector<std::pair<std::string, int32_t>>;

Found find(const AddedTokenSearch& search, std::string_view text, bool literal = false) {
  std::vector<Piece> pieces;
  search.find(text, literal, &pieces);
  Found found;
  for (const Piece& piece : pieces) {
    found.emplace_back(text.substr(piece.span.begin, piece.span.end - piece.span.begin), piece.id);
  }
  return found;
}

AddedTokenSearch::Pattern pattern(std::string text, int32_t id, const AddedToken& flags = {}, bool special = false) {
  return {std::move(text), id, flags, special};
}

TEST(AddedTokenSearch, LeftmostLongest) {
  const AddedTokenSearch search({pattern("ab", 1), pattern("abab", 2), pattern("b", 3), pattern("ab", 4)});
  EXPECT_EQ(find(search, "xababab"), (Found{{"x", -1}, {"abab", 2}, {"ab", 1}}));
  EXPECT_EQ(find(search, "bb"), (Found{{"b", 3}, {"b", 3}}));
  EXPECT_EQ(find(search, ""), Found{});
  EXPECT_EQ(find(AddedTokenSearch(), "ab"), (Found{{"ab", -1}}));
}

TEST(AddedTokenSearch, Flags) {
  AddedToken strips, word;
  strips.lstrip = strips.rstrip = true;
  word.single_word = true;
  const AddedTokenSearch search({pattern("<m>", 1, strips), pattern("<w>", 2, word), pattern("<s>", 3, {}, true)});
  EXPECT_EQ(find(search, "a \xE3\x80\x80<m> <m> b"),
            (Found{{"a", -1}, {" \xE3\x80\x80<m> ", 1}, {"<m> ", 1}, {"b", -1}}));
  EXPECT_EQ(find(search, "a<w> <w>"), (Found{{"a<w> ", -1}, {"<w>", 2}}));
  EXPECT_EQ(find(AddedTokenSearch({pattern("<e> ", 1, strips), pattern(" <x>", 2, strips)}), "<e>  <x>"),
            (Found{{"<e>  ", 1}, {"<x>", 2}}));  // white space is taken once
  EXPECT_EQ(find(search, "<s>", true), (Found{{"<s>", -1}}));
}

TEST(AddedTokens, IdsAndNormalizedForms) {
  simdjson::dom::parser parser;
  const std::string flags = R"("single_word":false,"lstrip":false,"rstrip":false,)";
  const std::string json = R"({"vocab":{"a":0,"b":1},"added_tokens":[
      {"id":1,"content":"b","special":true,"normalized":false,)" +
                           flags.substr(0, flags.size() - 1) + R"(},
      {"id":77,"content":"New","special":false,"normalized":true,)" +
                           flags.substr(0, flags.size() - 1) + "}]}";
  const auto root = JsonObject::of(parser.parse(json).value(), "");
  const auto vocabulary = Vocabulary::from_json(*root->object("vocab"));
  const LowercaseNormalizer lowercase;
  const auto added = AddedTokens::from_json(*root, *vocabulary, &lowercase);
  ASSERT_TRUE(added.ok()) << added.status();
  EXPECT_EQ(added->id("b"), 1);
  EXPECT_EQ(added->id("New"), 2);
  EXPECT_EQ(added->content(2), "new");
  EXPECT_EQ(added->end_id(), 3);
  EXPECT_TRUE(added->is_special("b"));
  EXPECT_EQ(added->normalized().patterns()[0].text, "new");
  EXPECT_EQ(added->raw().patterns()[0].text, "b");
}

TEST(AddedTokens, BrokenEntryIsNamed) {
  simdjson::dom::parser parser;
  const auto root = JsonObject::of(parser.parse(std::string(R"({"added_tokens":[{"content":"x"}]})")).value(), "");
  EXPECT_EQ(AddedTokens::from_json(*root, Vocabulary(), nullptr).status().message(),
            "tokenizer.json: added_tokens[0].id is missing");
}

}  // namespace
}  // namespace bouquet::tokenizer
