// The code runs on from its copy, whose pages belong to no file.
#include "cli/huge_code.h"

#include <fstream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

// The line of /proc/self/maps that this address lies in.
std::string mapping_of(const void* address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream(line) >> std::hex >> begin >> dash >> end;
    if (begin <= reinterpret_cast<uintptr_t>(address) && reinterpret_cast<uintptr_t>(address) < end) return line;
  }
  return "";
}

TEST(HugeCode, MovesAndRunsOn) {
  const void* const here = reinterpret_cast<const void*>(&move_code_to_huge_pages);
  const int64_t moved = move_code_to_huge_pages();
  if (moved == 0) GTEST_SKIP() << "huge pages are switched off here, or code may not be moved";
  EXPECT_GT(moved, 1 << 20);
  const std::string line = mapping_of(here);
  EXPECT_NE(line.find("r-xp"), std::string::npos) << line;
  EXPECT_EQ(line.find("_tests"), std::string::npos) << line;
  EXPECT_THROW((void)std::stoi("no number"), std::invalid_argument);  // unwinding finds its way through the copy
  EXPECT_EQ(move_code_to_huge_pages(), moved);
}

}  // namespace
}  // namespace bouquet::cli
