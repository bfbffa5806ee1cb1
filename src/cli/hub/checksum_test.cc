// Known digests.
#include "cli/hub/checksum.h"

#include <fstream>

#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

TEST(Checksum, KnownDigests) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "checksum_test";
  std::ofstream(file) << "hello\n";
  EXPECT_EQ(*sha256_of(file), "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
  EXPECT_EQ(*git_blob_id_of(file), "ce013625030ba8dba906f756967f9e9ca394464a");  // as `git hash-object` says
  EXPECT_FALSE(sha256_of("/nowhere").ok());
}

}  // namespace
}  // namespace bouquet::cli
