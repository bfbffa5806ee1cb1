// The ways in which a file becomes another.
#include "base/file_watch.h"

#include "base/testing/scratch_folder.h"
#include "gtest/gtest.h"

namespace bouquet {
namespace {

namespace fs = std::filesystem;

// Whether two looks tell of a change, once.
bool tells(FileWatch& watch) {
  const bool at_first = watch.changed(), then = watch.changed(), later = watch.changed();
  EXPECT_FALSE(at_first);
  EXPECT_FALSE(later);
  return then;
}

TEST(FileWatch, TellsOfWritingRenamingAndRemoval) {
  const ScratchFolder folder;
  FileWatch watch({folder.write("file", "a"), {}});
  EXPECT_FALSE(tells(watch));
  folder.write("file", "ab");
  EXPECT_TRUE(tells(watch));
  fs::rename(folder.write("new", "cd"), folder / "file");
  EXPECT_TRUE(tells(watch));
  fs::last_write_time(folder / "file", fs::last_write_time(folder / "file") + std::chrono::seconds(1));
  EXPECT_TRUE(tells(watch));
  fs::remove(folder / "file");
  EXPECT_TRUE(tells(watch));
  EXPECT_FALSE(tells(watch));
  folder.write("file", "ab");
  EXPECT_TRUE(tells(watch));
}

// A ConfigMap's files are links to ..data/NAME, and ..data is a link that is renamed over.
TEST(FileWatch, TellsOfALinkOnTheWay) {
  const ScratchFolder folder;
  folder.write("one/file", "a");
  folder.write("two/file", "b");
  fs::last_write_time(folder / "two/file", fs::last_write_time(folder / "one/file"));
  fs::create_directory_symlink("one", folder / "..data");
  fs::create_symlink("..data/file", folder / "file");
  FileWatch watch({folder / "file"});
  EXPECT_FALSE(tells(watch));
  fs::create_directory_symlink("two", folder / "..next");
  fs::rename(folder / "..next", folder / "..data");
  EXPECT_TRUE(tells(watch));
}

TEST(FileWatch, WaitsUntilAFileRests) {
  const ScratchFolder folder;
  FileWatch watch({folder.write("file", "")});
  for (const char* text : {"a", "ab", "abc"}) {
    folder.write("file", text);
    EXPECT_FALSE(watch.changed());
  }
  EXPECT_TRUE(watch.changed());
}

TEST(FileWatch, OfOtherFilesTheNewOnesAreTakenAsTheyAre) {
  const ScratchFolder folder;
  FileWatch watch({folder.write("a", "1")});
  folder.write("a", "22");
  folder.write("b", "1");
  watch.watch({folder / "a", folder / "b"});
  EXPECT_TRUE(tells(watch));  // of a, which has changed while it was watched
  EXPECT_FALSE(tells(watch));
  folder.write("b", "");
  EXPECT_TRUE(tells(watch));
}

}  // namespace
}  // namespace bouquet
