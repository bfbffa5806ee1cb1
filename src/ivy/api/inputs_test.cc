// Every form of input, and errors that name the index.
#include "ivy/api/inputs.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;

absl::StatusOr<Inputs> read(std::string_view json, size_t most = 4) {
  const auto document = Document::parse(json);
  return read_inputs(document->root(), "input", most);
}

TEST(Inputs, ReadsEveryForm) {
  EXPECT_TRUE(read("\"a\"")->single);
  EXPECT_EQ(std::get<std::string>(read("[\"a\",\"b\"]")->list[1]), "b");
  const auto one = read("[101, 7592, 102]");
  EXPECT_TRUE(one->single);
  EXPECT_EQ(std::get<TokenIds>(one->list[0]), (TokenIds{101, 7592, 102}));
  const auto batch = read("[[1],[2,3],\"a\"]");
  EXPECT_FALSE(batch->single);
  EXPECT_EQ(batch->list.size(), 3u);
  EXPECT_EQ(read("[1,2,3,4,5,6,7,8]")->list.size(), 1u);  // ids are not inputs
  EXPECT_TRUE(std::get<TokenIds>(read("[[]]")->list[0]).empty());
}

TEST(Inputs, NamesWhatIsWrong) {
  EXPECT_EQ(fault_of(read("[]").status()), InputFault::kEmpty);
  EXPECT_EQ(field_of(read("[\"a\", 5]").status()), "input[1]");
  EXPECT_EQ(field_of(read("[[1],[2,\"x\"]]").status()), "input[1][1]");
  EXPECT_EQ(field_of(read("[1, 2.5]").status()), "input[1]");
  EXPECT_EQ(field_of(read("[1, -2]").status()), "input[1]");
  EXPECT_EQ(field_of(read("[1, 4294967296]").status()), "input[1]");
  EXPECT_EQ(field_of(read("[\"a\", null]").status()), "input[1]");
  EXPECT_THAT(std::string(read("{\"image\":\"x\"}").status().message()), HasSubstr("takes text"));
  EXPECT_THAT(std::string(read("[{\"type\":\"image_url\"}]").status().message()), HasSubstr("takes text"));
  EXPECT_THAT(std::string(read("[\"\",\"\",\"\",\"\",\"\"]").status().message()), HasSubstr("5 entries"));
  EXPECT_FALSE(read("true").ok());
  EXPECT_FALSE(read("7").ok());
}

TEST(Inputs, ReadsTextsSidesAndLanes) {
  EXPECT_EQ(read_texts(Document::parse("[\"a\"]")->root(), "texts", 2)->size(), 1u);
  EXPECT_EQ(field_of(read_texts(Document::parse("[\"a\",1]")->root(), "texts", 2).status()), "texts[1]");
  EXPECT_EQ(*read_side("Left", "side"), tokenizer::TruncationSide::kLeft);
  EXPECT_FALSE(read_side("middle", "side").ok());
  const auto lane = [](std::string_view json) {
    const auto document = Document::parse(json);
    return read_lane(*Fields::of(document->root(), ""));
  };
  EXPECT_EQ(**lane(R"({"priority":"bulk"})"), tulip::Lane::kBulk);
  EXPECT_EQ(**lane(R"({"priority":0})"), tulip::Lane::kOnline);
  EXPECT_FALSE(lane(R"({})")->has_value());
  EXPECT_FALSE(lane(R"({"priority":"soon"})").ok());
}

}  // namespace
}  // namespace bouquet::ivy
