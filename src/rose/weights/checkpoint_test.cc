// Which files a directory is read from; a fingerprint is that of the tensors, and changes with any byte of any.
#include "rose/weights/checkpoint.h"

#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kWeights = fs::path(BOUQUET_SOURCE_DIR) / "tests/golden/weights";

uint64_t fingerprint_of(const std::string& data) {
  const ScratchFolder folder;
  const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  const uint64_t size = header.size();
  std::string bytes(reinterpret_cast<const char*>(&size), sizeof(size));
  bytes.append(header).append(data);
  folder.write("model.safetensors", bytes);
  return Checkpoint::open(folder)->fingerprint();
}

TEST(Checkpoint, FingerprintFollowsTheBytes) {
  EXPECT_EQ(fingerprint_of("abcd"), fingerprint_of("abcd"));
  EXPECT_NE(fingerprint_of("abcd"), fingerprint_of("abce"));
}

TEST(Checkpoint, TheSameTensorsHaveTheSameFingerprintInEveryForm) {
  const uint64_t expected = Checkpoint::open_file(kWeights / "weights.safetensors")->fingerprint();
  for (const char* name : {"ordered.bin", "protocol4.bin", "parameters.bin", "stream.bin", "stream4.bin"}) {
    const absl::StatusOr<Checkpoint> checkpoint = Checkpoint::open_file(kWeights / name);
    ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
    EXPECT_EQ(checkpoint->fingerprint(), expected) << name;
    EXPECT_EQ(checkpoint->path(), kWeights / name);
  }
  EXPECT_EQ(Checkpoint::open_file(kWeights / "strided.pt")->fingerprint(),
            Checkpoint::open_file(kWeights / "strided.safetensors")->fingerprint());
}

TEST(Checkpoint, ADirectoryOffersSafetensorsFirst) {
  const ScratchFolder folder;
  const auto offer = [&](const char* from, const char* name) { fs::copy_file(kWeights / from, folder / name); };
  const auto tensors = [&] { return Checkpoint::open(folder)->tensors().size(); };
  EXPECT_EQ(Checkpoint::open(folder).status().code(), absl::StatusCode::kNotFound);
  offer("ordered.bin", "pytorch_model.bin");
  EXPECT_EQ(tensors(), 15u);
  offer("strided.pt", "pytorch_model-1.bin");
  folder.write("pytorch_model.bin.index.json", R"({"weight_map":{"cube":"pytorch_model-1.bin"}})");
  EXPECT_EQ(tensors(), 16u);
  offer("weights.safetensors", "model.safetensors");
  EXPECT_EQ(tensors(), 15u);
  folder.write("model.safetensors", "");
  EXPECT_FALSE(Checkpoint::open(folder).ok());
}

TEST(Checkpoint, ErrorsNameTheFile) {
  const ScratchFolder folder;
  const fs::path file = folder.write("pytorch_model.bin", "PK\x03\x04");
  EXPECT_THAT(std::string(Checkpoint::open(folder).status().message()),
              HasSubstr(file.string() + ": PyTorch file: zip: has no end record"));
  EXPECT_EQ(Checkpoint::open_file(folder / "none.pt").status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace bouquet::rose
