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

// The names of what is chosen of these.
std::vector<std::string> chosen(const std::vector<std::string>& names, ModelParts parts = ModelParts::kAll) {
  std::vector<RepositoryFile> files;
  for (const std::string& name : names) files.push_back({name, -1, "", ""});
  std::vector<std::string> needed;
  for (const RepositoryFile& file : needed_files(files, parts)) needed.push_back(file.name);
  return needed;
}

TEST(Repository, ChoosesWhatAModelNeeds) {
  const std::vector<std::string> texts = {"config.json", "tokenizer.json", "model.safetensors.index.json",
                                          "vocab.txt",   "spiece.model",   "1_Pooling/config.json"};
  const std::vector<std::string> weights = {"model.safetensors", "model-00001-of-00002.safetensors",
                                            "2_Dense/model.safetensors", "sparse_linear.pt", "colbert_linear.pt"};
  EXPECT_EQ(chosen(texts), texts);
  EXPECT_EQ(chosen(texts, ModelParts::kText), texts);
  EXPECT_EQ(chosen(weights), weights);
  EXPECT_TRUE(chosen(weights, ModelParts::kText).empty());
  EXPECT_TRUE(chosen({"README.md", "onnx/model.onnx", "onnx/config.json", "train_script.py", "adapter.safetensors",
                      "openvino/config.json", "optimizer.pt", "training_args.bin", "onnx/pytorch_model.bin",
                      "1_A/2_B/pytorch_model.bin"})
                  .empty());
}

TEST(Repository, TakesPickledWeightsWhereAFolderHasNoSafetensors) {
  const std::vector<std::string> pickled = {"pytorch_model.bin", "2_Dense/pytorch_model.bin",
                                            "pytorch_model-00001-of-00002.bin", "pytorch_model.bin.index.json"};
  EXPECT_EQ(chosen(pickled), pickled);
  EXPECT_EQ(chosen(pickled, ModelParts::kText), std::vector<std::string>{"pytorch_model.bin.index.json"});
  EXPECT_EQ(chosen({"pytorch_model.bin", "model.safetensors", "2_Dense/pytorch_model.bin"}),
            (std::vector<std::string>{"model.safetensors", "2_Dense/pytorch_model.bin"}));
  EXPECT_EQ(chosen({"pytorch_model-1.bin", "model.safetensors.index.json"}),
            std::vector<std::string>{"model.safetensors.index.json"});
  EXPECT_EQ(chosen({"2_Dense/model.safetensors", "2_Dense/pytorch_model.bin"}),
            std::vector<std::string>{"2_Dense/model.safetensors"});
}

TEST(HubId, Parses) {
  EXPECT_EQ(parse_hub_id("org/name@v1")->revision, "v1");
  EXPECT_EQ(parse_hub_id("org/name")->id, "org/name");
  EXPECT_TRUE(parse_hub_id("name").ok());
  for (const char* bad : {"", "a/b/c", "../x", "org/", "a/b@", "a b/c"}) EXPECT_FALSE(parse_hub_id(bad).ok()) << bad;
}

}  // namespace
}  // namespace bouquet::cli
