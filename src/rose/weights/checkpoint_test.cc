// A fingerprint changes with any byte of any tensor.
#include "rose/weights/checkpoint.h"

#include <fstream>

#include "gtest/gtest.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;

uint64_t fingerprint_of(const std::string& data) {
  const fs::path folder = fs::path(testing::TempDir()) / ("checkpoint_" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  const uint64_t size = header.size();
  std::ofstream out(folder / "model.safetensors", std::ios::binary);
  out.write(reinterpret_cast<const char*>(&size), 8);
  out << header << data;
  out.close();
  const uint64_t fingerprint = Checkpoint::open(folder)->fingerprint();
  fs::remove_all(folder);
  return fingerprint;
}

TEST(Checkpoint, FingerprintFollowsTheBytes) {
  EXPECT_EQ(fingerprint_of("abcd"), fingerprint_of("abcd"));
  EXPECT_NE(fingerprint_of("abcd"), fingerprint_of("abce"));
}

}  // namespace
}  // namespace bouquet::rose
