// Each alone, then several.
#include "tokenizer/decoders/simple_decoders.h"

#include "gtest/gtest.h"
#include "tokenizer/testing/run.h"

namespace bouquet::tokenizer {
namespace {

using Tokens = std::vector<std::string>;

TEST(SimpleDecoders, MetaspaceDropsWhatWasPutBefore) {
  EXPECT_EQ(decoded(MetaspaceDecoder({}), {"▁a", "b▁", "▁▁"}), (Tokens{"a", "b ", "  "}));
  EXPECT_EQ(decoded(MetaspaceDecoder({.prepend = PrependScheme::kNever}), {"▁a", "▁"}), (Tokens{" a", " "}));
}

TEST(SimpleDecoders, BytesBecomeTextOrAreReplaced) {
  EXPECT_EQ(decoded(ByteFallbackDecoder(), {"a", "<0xC3>", "<0xA9>", "b", "<0xFF>", "<0x41>"}),
            (Tokens{"a", "é", "b", "\uFFFD", "\uFFFD"}));
  EXPECT_EQ(decoded(ByteFallbackDecoder(), {"<0xZZ>", "<0x4>"}), (Tokens{"<0xZZ>", "<0x4>"}));
}

TEST(SimpleDecoders, StripTakesAtMostSoMany) {
  EXPECT_EQ(decoded(StripDecoder(" ", 1, 2), {"  a   ", " ", "b"}), (Tokens{" a ", "", "b"}));
}

TEST(SimpleDecoders, FuseAndSequence) {
  std::vector<std::unique_ptr<const Decoder>> parts;
  parts.push_back(std::make_unique<FuseDecoder>());
  parts.push_back(std::make_unique<StripDecoder>(" ", 1, 0));
  EXPECT_EQ(decoded(SequenceDecoder(std::move(parts)), {" a", " b"}), (Tokens{"a b"}));
}

}  // namespace
}  // namespace bouquet::tokenizer
