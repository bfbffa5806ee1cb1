// Listings parse, dangerous names do not; ids with and without revision.
#include "cli/hub/repository.h"

#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

constexpr char kCommit[] = "0123456789012345678901234567890123456789";

std::string listing(const std::string& siblings) {
  return std::string(R"({"sha":")") + kCommit + R"(","siblings":[)" + siblings + "]}";
}

TEST(Repository, ParsesAListing) {
  const std::string sha(64, 'a');
  const Repository r = *parse_repository(
      listing(R"({"rfilename":"config.json","size":612,"blobId":"ce013625030ba8dba906f756967f9e9ca394464a"},)"
              R"({"rfilename":"model.safetensors","size":90868376,"lfs":{"sha256":")" +
              sha + R"("}})"));
  ASSERT_EQ(r.files.size(), 2u);
  EXPECT_EQ(r.commit, kCommit);
  EXPECT_EQ(r.files[0].size, 612);
  EXPECT_EQ(r.files[1].sha256, sha);
}

TEST(Repository, RefusesNamesThatLeaveTheFolder) {
  for (const char* name : {"../x.json", "/etc/passwd", "a//b", "a/../b", ""}) {
    EXPECT_FALSE(parse_repository(listing(std::string(R"({"rfilename":")") + name + R"("})")).ok()) << name;
  }
  EXPECT_FALSE(parse_repository("{}").ok());
  EXPECT_FALSE(parse_repository("<html>").ok());
}

TEST(Repository, ChoosesWhatAModelNeeds) {
  for (const char* name : {"config.json", "tokenizer.json", "model.safetensors", "model-00001-of-00002.safetensors",
                           "model.safetensors.index.json", "vocab.txt", "spiece.model", "1_Pooling/config.json",
                           "2_Dense/model.safetensors"}) {
    EXPECT_TRUE(is_needed(name)) << name;
    EXPECT_EQ(is_needed(name, ModelParts::kText), !std::string_view(name).ends_with(".safetensors")) << name;
  }
  for (const char* name : {"README.md", "pytorch_model.bin", "onnx/model.onnx", "onnx/config.json", "train_script.py",
                           "adapter.safetensors", "openvino/config.json"}) {
    EXPECT_FALSE(is_needed(name)) << name;
  }
}

TEST(HubId, Parses) {
  EXPECT_EQ(parse_hub_id("org/name@v1")->revision, "v1");
  EXPECT_EQ(parse_hub_id("org/name")->id, "org/name");
  EXPECT_TRUE(parse_hub_id("name").ok());
  for (const char* bad : {"", "a/b/c", "../x", "org/", "a/b@", "a b/c"}) EXPECT_FALSE(parse_hub_id(bad).ok()) << bad;
}

}  // namespace
}  // namespace bouquet::cli
