// Values of a file that is there, of one that is not, and of one that is broken.
#include "ivy/json_file.h"

#include <cstdlib>
#include <fstream>

#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

TEST(JsonFile, GivesValuesByKeyAndPointer) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "bouquet_json_file_test.json";
  std::ofstream(file) << R"({"a":"text","n":7,"sep_token":{"content":"</s>","lstrip":false},"model":{"unk":"?"}})";
  const auto json = JsonFile::read_if_there(file);
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(json->text("a"), "text");
  EXPECT_EQ(json->text("sep_token"), "</s>");
  EXPECT_EQ(json->text("/model/unk"), "?");
  EXPECT_EQ(json->text("n"), "");
  EXPECT_EQ(json->text("/model/other"), "");
  EXPECT_EQ(json->integer("n"), 7);
  EXPECT_FALSE(json->integer("a").has_value());
  std::ofstream(file) << "{\"a\":";
  EXPECT_FALSE(JsonFile::read_if_there(file).ok());
  std::filesystem::remove(file);
  EXPECT_EQ(JsonFile::read_if_there(file)->text("a"), "");
}

}  // namespace
}  // namespace bouquet::ivy
