// Names, and which vectors the encodings are made from.
#include "ivy/api/formats.h"

#include "gtest/gtest.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

absl::StatusOr<Formats> read(std::string_view json) {
  static Document document;
  document = *Document::parse(json);
  return read_format_names(document.root(), "types");
}

TEST(Formats, AreReadByName) {
  EXPECT_EQ(read("\"ubinary\"")->front().format, VectorFormat::kUbinary);
  const auto list = read(R"(["float","int8","float"])");
  ASSERT_EQ(list->size(), 2u);
  EXPECT_EQ((*list)[1].name, "int8");
  EXPECT_EQ(field_of(read(R"(["float","int4"])").status()), "types[1]");
  EXPECT_EQ(field_of(read("7").status()), "types");
  EXPECT_EQ(fault_of(read("[]").status()), InputFault::kEmpty);
}

TEST(Formats, TanhModelsRunOnceForEachKindOfVector) {
  Job job;
  job.options.normalize = true;
  const Formats floats = *read("\"float\""), both = *read(R"(["int8","float"])"), codes = *read("\"binary\"");
  EXPECT_EQ(jobs_for(job, both, QuantRule::kUnit).size(), 1u);
  EXPECT_TRUE(jobs_for(job, floats, QuantRule::kTanh)[0].options.normalize);
  EXPECT_EQ(jobs_for(job, codes, QuantRule::kTanh).size(), 1u);
  EXPECT_FALSE(jobs_for(job, codes, QuantRule::kTanh)[0].options.normalize);
  const std::vector<Job> jobs = jobs_for(job, both, QuantRule::kTanh);
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_TRUE(jobs[0].options.normalize);
  EXPECT_FALSE(jobs[1].options.normalize);
  job.options.normalize = false;
  EXPECT_TRUE(jobs_for(job, codes, QuantRule::kUnit)[0].options.normalize);
  EXPECT_FALSE(jobs_for(job, floats, QuantRule::kUnit)[0].options.normalize);
}

TEST(Formats, WritesEachFromItsOwnVector) {
  JobResult unit, own;
  unit.row_size = own.row_size = 2;
  unit.values = {0, 0, 1, 0};
  own.values = {0, 0, 20, 0};
  const std::vector<JobResult> results = {unit, own};
  JsonWriter json;
  write_by_name(*read(R"(["float","int8"])"), QuantRule::kTanh, results, 1, &json);
  EXPECT_EQ(json.view(), R"({"float":[1,0],"int8":[127,0]})");
  EXPECT_EQ(rows_of(unit), 2u);
  EXPECT_EQ(rows_of({}), 0u);
}

}  // namespace
}  // namespace bouquet::ivy
