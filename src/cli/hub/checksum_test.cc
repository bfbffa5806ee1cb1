// Known digests.
#include "cli/hub/checksum.h"

#include "base/testing/scratch_folder.h"
#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

TEST(Checksum, KnownDigests) {
  const ScratchFolder folder;
  const std::filesystem::path file = folder.write("checksum_test", "hello\n");
  EXPECT_EQ(*sha256_of(file), "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
  EXPECT_EQ(*git_blob_id_of(file), "ce013625030ba8dba906f756967f9e9ca394464a");  // as `git hash-object` says
  EXPECT_FALSE(sha256_of("/nowhere").ok());
}

}  // namespace
}  // namespace bouquet::cli
