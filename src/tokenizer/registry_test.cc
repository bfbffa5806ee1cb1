// Unknown types are named; absent components are left out.
#include "tokenizer/registry.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

class RegistryTest : public testing::Test {
 protected:
  JsonObject root(std::string json) {
    json_ = std::move(json);
    return *JsonObject::of(parser_.parse(json_).value(), "");
  }

 private:
  simdjson::dom::parser parser_;
  std::string json_;
};

TEST_F(RegistryTest, UnknownTypesAreNamed) {
  const JsonObject json = root(R"({"normalizer":{"type":"Odd"},"pre_tokenizer":{"type":"Sentences"},
      "model":{"type":"Words"},"decoder":{"type":"Odd"},"post_processor":{"type":"Other"}})");
  EXPECT_EQ(make_normalizer(json).status(),
            absl::UnimplementedError("tokenizer.json: normalizer \"Odd\" is not supported"));
  EXPECT_EQ(make_pre_tokenizer(json).status(),
            absl::UnimplementedError("tokenizer.json: pre_tokenizer \"Sentences\" is not supported"));
  EXPECT_EQ(make_model(json, false).status(),
            absl::UnimplementedError("tokenizer.json: model \"Words\" is not supported"));
  EXPECT_EQ(make_decoder(json).status(), absl::UnimplementedError("tokenizer.json: decoder \"Odd\" is not supported"));
  EXPECT_EQ(make_post_processor(json).status(),
            absl::UnimplementedError("tokenizer.json: post_processor \"Other\" is not supported"));
}

TEST_F(RegistryTest, AbsentIsNothing) {
  const JsonObject json = root(R"({"normalizer":null,"pre_tokenizer":{"type":"Sequence","pretokenizers":[]}})");
  EXPECT_EQ(*make_normalizer(json), nullptr);
  EXPECT_EQ(*make_pre_tokenizer(json), nullptr);
  EXPECT_EQ(*make_decoder(json), nullptr);
  EXPECT_EQ(make_post_processor(json)->pair.size(), 2);
  EXPECT_EQ(make_model(json, false).status().message(), "tokenizer.json: model is missing");
}

TEST_F(RegistryTest, SequencesNameTheBrokenPart) {
  const JsonObject json = root(R"({"normalizer":{"type":"Sequence","normalizers":[{"type":"NFD"},{"type":7}]}})");
  EXPECT_EQ(make_normalizer(json).status().message(), "tokenizer.json: normalizer.normalizers[1].type is not a string");
}

}  // namespace
}  // namespace bouquet::tokenizer
