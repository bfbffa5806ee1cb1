// An interrupted file resumes at its last checkpoint: no row lost, doubled or torn.
#include "cli/embed/vector_writer.h"

#include <fstream>

#include "base/file.h"
#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

namespace fs = std::filesystem;

class VectorWriterTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { options_ = {.path = folder_ / "out", .npy = GetParam(), .dimensions = 2, .job = "j"}; }
  void put(VectorWriter& writer, float value) {
    const float row[] = {value, -value};
    ASSERT_TRUE(writer.write(row).ok());
  }
  ScratchFolder folder_;
  WriterOptions options_;
};

TEST_P(VectorWriterTest, ResumesAtTheLastCheckpoint) {
  std::string whole;
  for (const bool interrupted : {false, true}) {
    if (interrupted) {
      const auto writer = *VectorWriter::open(options_);
      put(*writer, 1);
      put(*writer, 2);
      ASSERT_TRUE(writer->checkpoint().ok());
      put(*writer, 3);  // not safe: comes again below
      std::ofstream(options_.path.string() + ".part", std::ios::app) << "torn";
    }
    const auto writer = *VectorWriter::open(options_);
    EXPECT_EQ(writer->rows(), interrupted ? 2 : 0);
    for (float value = static_cast<float>(writer->rows() + 1); value <= 4; ++value) put(*writer, value);
    ASSERT_TRUE(writer->finish().ok());
    const std::string bytes = *read_file(options_.path);
    if (interrupted) {
      EXPECT_EQ(bytes, whole);
    } else {
      whole = bytes;
    }
    EXPECT_FALSE(fs::exists(options_.path.string() + ".progress"));
    EXPECT_FALSE(VectorWriter::open(options_).ok());  // never overwrites
    fs::remove(options_.path);
  }
  EXPECT_EQ(whole.size(), GetParam() ? 128u + 4 * 8 : whole.size());
}

TEST_P(VectorWriterTest, AnotherJobIsNotResumed) {
  {
    const auto writer = *VectorWriter::open(options_);
    put(*writer, 1);
    ASSERT_TRUE(writer->checkpoint().ok());
  }
  options_.job = "other";
  EXPECT_THAT(std::string(VectorWriter::open(options_).status().message()), testing::HasSubstr("another run"));
}

INSTANTIATE_TEST_SUITE_P(Formats, VectorWriterTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "npy" : "jsonl"; });

}  // namespace
}  // namespace bouquet::cli
