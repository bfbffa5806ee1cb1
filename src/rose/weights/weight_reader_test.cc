// Prefixes, old names, narrow types, wrong shapes and leftovers; shards read as one checkpoint.
#include "rose/weights/weight_reader.h"

#include <cstring>
#include <fstream>

#include "base/testing/scratch_folder.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rose/device/cpu/cpu_device.h"
#include "rose/kernels/reference/reference_kernels.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void write_safetensors(const fs::path& path, const std::string& header, const std::vector<float>& data) {
  std::ofstream out(path, std::ios::binary);
  const uint64_t size = header.size();
  out.write(reinterpret_cast<const char*>(&size), 8);
  out << header;
  out.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size() * sizeof(float)));
}

class WeightReaderTest : public testing::Test {
 protected:
  ScratchFolder folder_;
  cpu::CpuDevice device_{{.threads = 1}};
  std::unique_ptr<Kernels> kernels_ = reference::make_kernels();
};

TEST_F(WeightReaderTest, FindsNamesUnderAPrefixAndOldNorms) {
  write_safetensors(folder_ / "model.safetensors",
                    R"({"bert.x.LayerNorm.gamma":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                    R"("bert.w":{"dtype":"BF16","shape":[2,2],"data_offsets":[8,16]},)"
                    R"("bert.pooler.w":{"dtype":"F32","shape":[1],"data_offsets":[16,20]}})",
                    {1.5f, 2.5f, 0, 0, 0});
  const Checkpoint checkpoint = *Checkpoint::open(folder_);
  WeightStore store;
  WeightReader reader(checkpoint, {device_, *kernels_, store}, DType::kF32);
  EXPECT_FALSE(reader.choose_prefix({"", "model."}, "w").ok());
  ASSERT_TRUE(reader.choose_prefix({"", "bert."}, "w").ok());
  const auto norm = *reader.vector("x.LayerNorm.weight", 2);
  EXPECT_EQ(static_cast<float*>(norm->data())[1], 2.5f);
  EXPECT_THAT(std::string(reader.matrix({"w"}, "", 2, 3).status().message()), HasSubstr("shape [2, 2]"));
  EXPECT_THAT(std::string(reader.check_all_taken({}).message()), HasSubstr("bert.pooler.w"));
  ASSERT_TRUE(reader.matrix({"w"}, "", 2, 2).ok());
  EXPECT_TRUE(reader.check_all_taken({"pooler.w"}).ok());
  EXPECT_EQ(reader.vector("nothing", 2).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(WeightReaderTest, ShardsAreOneCheckpoint) {
  write_safetensors(folder_ / "a.safetensors", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", {1});
  write_safetensors(folder_ / "b.safetensors", R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", {2});
  std::ofstream(folder_ / "model.safetensors.index.json")
      << R"({"weight_map":{"a":"a.safetensors","b":"b.safetensors"}})";
  const Checkpoint checkpoint = *Checkpoint::open(folder_);
  EXPECT_EQ(checkpoint.tensors().size(), 2u);
  EXPECT_NE(checkpoint.fingerprint(), 0u);
  std::ofstream(folder_ / "model.safetensors.index.json") << R"({"weight_map":{"a":"../a.safetensors"}})";
  EXPECT_FALSE(Checkpoint::open(folder_).ok());
}

TEST_F(WeightReaderTest, FilesSideBySideShareNothing) {
  const std::string header = R"({"weight":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  WeightStore store;
  for (const float value : {1.0f, 2.0f}) {
    const fs::path file = folder_ / fmt::format("{}.safetensors", value);
    write_safetensors(file, header, {value});
    const Checkpoint checkpoint = *Checkpoint::open_file(file);
    WeightReader reader(checkpoint, {device_, *kernels_, store}, DType::kF32);
    EXPECT_EQ(*static_cast<float*>((*reader.vector("weight", 1))->data()), value);
  }
}

}  // namespace
}  // namespace bouquet::rose
