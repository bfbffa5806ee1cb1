// A fingerprint changes with any byte of any tensor.
#include "rose/weights/checkpoint.h"

#include "base/testing/scratch_folder.h"
#include "gtest/gtest.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;

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

}  // namespace
}  // namespace bouquet::rose
