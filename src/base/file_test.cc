// Files read back; a missing one is NOT_FOUND and named.
#include "base/file.h"

#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet {
namespace {

TEST(File, ReadsWholeAndNamesWhatIsMissing) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder.write("file_test.txt", "some bytes");
  EXPECT_EQ(*read_file(path), "some bytes");
  folder.write("file_test.txt", "");
  EXPECT_EQ(*read_file(path), "");
  std::filesystem::remove(path);
  const absl::Status status = read_file(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("file_test.txt"));
  EXPECT_FALSE(read_file(testing::TempDir()).ok());
}

TEST(File, ExistsOrDoesNot) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder.write("file_test.txt", "");
  EXPECT_TRUE(file_exists(path));
  EXPECT_FALSE(file_exists(path / "below a file"));
  std::filesystem::remove(path);
  EXPECT_FALSE(file_exists(path));
}

TEST(MappedFile, IsThereAgainAfterItWasReleased) {
  const ScratchFolder folder;
  std::string text(100'000, 'a');
  text[50'000] = 'b';
  const MappedFile file = *MappedFile::open(folder.write("file", text));
  const std::vector<std::byte> elsewhere(100'000, std::byte{7});
  file.release(file.bytes());
  file.release(elsewhere);  // not its own: stays as it is
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()), text);
  EXPECT_EQ(elsewhere.back(), std::byte{7});
}

}  // namespace
}  // namespace bouquet
