// Stored entries are found in both forms of the directory; archives that lie are refused.
#include "rose/weights/zip_entries.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rose/weights/byte_reader.h"
#include "rose/weights/testing/torch_bytes.h"

namespace bouquet::rose {
namespace {

using namespace testing_bytes;
using testing::HasSubstr;

std::string error_of(const std::string& archive) {
  return std::string(zip_entries(bytes_of(archive)).status().message());
}

// With `bytes` over what stands `at` bytes behind the last `mark`.
std::string changed(std::string archive, std::string_view mark, size_t at, const std::string& bytes) {
  return archive.replace(archive.rfind(mark) + at, bytes.size(), bytes);
}

TEST(ZipEntries, FindsStoredEntries) {
  for (const bool large : {false, true}) {
    std::string archive = zip({{"a", "first"}, {"folder/b", ""}}, {.large = large});
    const ZipEntries entries = *zip_entries(bytes_of(archive));
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(as_text(entries.at("a")), "first");
    EXPECT_EQ(as_text(entries.at("folder/b")), "");
    EXPECT_TRUE(is_zip(bytes_of(archive)));
  }
  const std::string commented = changed(zip({{"a", "first"}}), "PK\x05\x06", 20, raw<uint16_t>(5)) + "hello";
  EXPECT_EQ(zip_entries(bytes_of(commented))->size(), 1u);
}

TEST(ZipEntries, RefusesLies) {
  const std::string good = zip({{"a", "first"}}), large = zip({{"a", "first"}}, {.large = true});
  const std::string directory = "PK\x01\x02", end = "PK\x05\x06", large_end = "PK\x06\x06", locator = "PK\x06\x07";
  const auto max32 = raw<uint32_t>(0xfffffffe);
  const auto max64 = raw<uint64_t>(~uint64_t{0});
  const std::pair<std::string, const char*> cases[] = {
      {"", "no end record"},
      {std::string(100, 'x'), "no end record"},
      {zip({{"a", "x"}}, {.method = 8}), "entry \"a\" is compressed"},
      {zip({{"a", "x"}}, {.flags = 1}), "entry \"a\" is encrypted"},
      {zip({{"a", "x"}, {"a", "y"}}), "entry \"a\" is there twice"},
      {changed(good, directory, 20, raw<uint32_t>(4)), "another size"},
      {changed(good, directory, 20, raw<uint32_t>(4000) + raw<uint32_t>(4000)), "of 4000 bytes leaves the file"},
      {changed(good, directory, 42, raw<uint32_t>(1)), "not where the directory says"},
      {changed(good, directory, 42, max32), "not where the directory says"},
      {changed(good, directory, 28, raw<uint16_t>(999)), "directory is cut short"},
      {changed(good, end, 10, raw<uint16_t>(2)), "directory is cut short"},
      {changed(good, end, 16, max32), "outside the file"},
      {changed(good, end, 12, max32), "outside the file"},
      {changed(large, large_end, 32, max64), "entries"},
      {changed(large, large_end, 40, max64), "outside the file"},
      {changed(large, large_end, 48, max64), "outside the file"},
      {changed(large, locator, 8, max64), "not where it should be"},
      {changed(large, directory, 47 + 2, raw<uint16_t>(9)), "broken zip64 field"},
      {changed(large, directory, 47, raw<uint16_t>(2)), "broken zip64 field"},
      {changed(large, directory, 47 + 4, max64 + max64), "leaves the file"},
      {changed(large, directory, 47 + 20, max64), "not where the directory says"}};
  for (const auto& [archive, message] : cases) EXPECT_THAT(error_of(archive), HasSubstr(message));
}

}  // namespace
}  // namespace bouquet::rose
