// Lines, JSON fields and CSV columns, with their odd corners.
#include "cli/embed/record_reader.h"

#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> read_all(const std::string& text, RecordOptions options, absl::Status* status = nullptr) {
  std::istringstream in(text);
  const auto reader = make_record_reader(in, "input", options);
  std::vector<std::string> records;
  for (;;) {
    auto record = reader->next();
    if (!record.ok()) {
      if (status) *status = record.status();
      return records;
    }
    if (!*record) return records;
    records.push_back(**record);
  }
}

TEST(RecordReader, Lines) {
  EXPECT_THAT(read_all("\xEF\xBB\xBF"
                       "a\r\n\nb c",
                       {}),
              ElementsAre("a", "", "b c"));
}

TEST(RecordReader, JsonLines) {
  const RecordOptions options{RecordFormat::kJsonl, "body"};
  EXPECT_THAT(read_all("{\"body\":\"x\\ny\"}\n\n\"bare\"\n", options), ElementsAre("x\ny", "bare"));
  absl::Status status;
  EXPECT_THAT(read_all("{\"body\":\"x\"}\n{\"text\":\"y\"}\n", options, &status), ElementsAre("x"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("input:2"));
}

TEST(RecordReader, CsvColumns) {
  const RecordOptions options{RecordFormat::kCsv, "text"};
  EXPECT_THAT(read_all("id,text\n1,plain\n2,\"a, \"\"b\"\"\nc\"\n", options), ElementsAre("plain", "a, \"b\"\nc"));
  absl::Status status;
  read_all("id,body\n1,x\n", options, &status);
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"text\""));
  read_all("text\n\"open\n", options, &status);
  EXPECT_THAT(std::string(status.message()), HasSubstr("quotes"));
}

TEST(RecordReader, GuessesByTheEnding) {
  EXPECT_EQ(guess_format("a.jsonl"), RecordFormat::kJsonl);
  EXPECT_EQ(guess_format("a.csv"), RecordFormat::kCsv);
  EXPECT_EQ(guess_format("-"), RecordFormat::kText);
}

}  // namespace
}  // namespace bouquet::cli
