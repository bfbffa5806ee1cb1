// Whole clusters and single characters, runs of ASCII, origins, and broken maps named.
#include "tokenizer/normalizers/precompiled_normalizer.h"

#include "gtest/gtest.h"
#include "tokenizer/testing/small_charsmap.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<std::unique_ptr<const Normalizer>> make(const std::string& charsmap) {
  simdjson::dom::parser parser;
  const std::string json = R"({"precompiled_charsmap":")" + charsmap + "\"}";
  return PrecompiledNormalizer::make(*JsonObject::of(parser.parse(json).value(), "normalizer"));
}

struct Normalized {
  std::string text;
  std::vector<uint32_t> origins;  // of each byte
};

Normalized normalized(const std::string& original) {
  const auto normalizer = *make(kSmallCharsmap);
  NormalizerScratch scratch;
  NormalizedText text;
  text.reset(original);
  normalizer->normalize(&scratch, &text);
  Normalized result{std::string(text.view()), {}};
  for (size_t at = 0; at < result.text.size(); ++at) result.origins.push_back(text.origin(at));
  return result;
}

TEST(PrecompiledNormalizer, ClustersThenCharacters) {
  EXPECT_EQ(normalized("plain text").text, "plain text");
  EXPECT_EQ(normalized("a e\u0301\t™").text, "a é TM");
  EXPECT_EQ(normalized("a\r\nb").text, "a b");                    // one cluster, one space
  EXPECT_EQ(normalized("Ａ\u0301x").text, "Ax");                  // five bytes: the key replaces all of it
  EXPECT_EQ(normalized("Ａ\u0301\u0301").text, "A\u0301\u0301");  // seven: character by character
  EXPECT_EQ(normalized("\u1112\u1161").text, "\u1112\u1161");     // six: so a key of two characters is never found
}

TEST(PrecompiledNormalizer, Origins) {
  EXPECT_EQ(normalized("a™b").origins, (std::vector<uint32_t>{0, 1, 1, 4}));
  EXPECT_EQ(normalized("e\u0301b").origins, (std::vector<uint32_t>{0, 0, 3}));
  EXPECT_EQ(normalized("a\u200bb").origins, (std::vector<uint32_t>{0, 4}));
}

TEST(PrecompiledNormalizer, BrokenMapsAreNamed) {
  EXPECT_EQ(make("*").status().message(), "tokenizer.json: normalizer.precompiled_charsmap is not base64");
  EXPECT_EQ(make("AAAA").status().message(),
            "tokenizer.json: normalizer.precompiled_charsmap is too short for a character map");
}

}  // namespace
}  // namespace bouquet::tokenizer
