// The three files as they are published, and what is said of a broken one.
#include "cli/eval/beir_folder.h"

#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::string message(const absl::Status& status) { return std::string(status.message()); }

TEST(BeirFolder, ReadsJudgementsAndTheirQueries) {
  const ScratchFolder folder;
  folder.write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\r\nq2\td1\t-1\n\n");
  folder.write("queries.jsonl",
               "{\"_id\":\"q0\",\"text\":\"\"}\n{\"_id\":\"q1\",\"text\":\" one \"}\n{\"_id\":7,\"text\":\"x\"}\n");
  const Judgements judgements = *read_judgements(folder, "test");
  EXPECT_THAT(judgements, ElementsAre(Pair("q1", ElementsAre(Pair("d1", 2), Pair("d2", 0))),
                                      Pair("q2", ElementsAre(Pair("d1", 0)))));
  const auto queries = *read_judged_queries(folder, judgements);
  ASSERT_EQ(queries.size(), 1u);
  EXPECT_EQ(queries[0].text, "one");
}

TEST(BeirFolder, ReadsTitleAndText) {
  const ScratchFolder folder;
  folder.write("corpus.jsonl",
               "{\"_id\":\"a\",\"title\":\"T\",\"text\":\"b c\"}\n{\"_id\":\"b\",\"title\":\" "
               "\",\"text\":\"\"}\n\n{\"_id\":\"c\",\"text\":\"d\"}\n");
  const auto corpus = *CorpusReader::open(folder);
  EXPECT_EQ(**corpus->next(), "T b c");
  EXPECT_EQ(**corpus->next(), "d");
  EXPECT_FALSE(*corpus->next());
  EXPECT_THAT(corpus->ids(), ElementsAre("a", "c"));
  EXPECT_EQ(corpus->empty(), 1);
  EXPECT_EQ(corpus->line(), 4);
}

TEST(BeirFolder, JudgementsMayLieAtTheTop) {
  const ScratchFolder folder;
  folder.write("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n");
  EXPECT_TRUE(read_judgements(folder, "test").ok());
  EXPECT_THAT(message(read_judgements(folder, "dev").status()),
              HasSubstr("dev.tsv"));  // another split is not this file
  folder.write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq2\td1\t1\n");
  EXPECT_TRUE(read_judgements(folder, "test")->contains("q2"));
}

TEST(BeirFolder, RefusesAnIdThatComesTwice) {
  const ScratchFolder folder;
  const char* twice =
      "{\"_id\":\"a\",\"text\":\"x\"}\n{\"_id\":\"b\",\"text\":\"y\"}\n{\"_id\":\"a\",\"text\":\"z\"}\n";
  folder.write("corpus.jsonl", twice);
  folder.write("queries.jsonl", twice);
  EXPECT_THAT(message(read_judged_queries(folder, {{"a", {}}}).status()),
              HasSubstr("queries.jsonl, line 3: _id \"a\" came before"));
  const auto corpus = *CorpusReader::open(folder);
  EXPECT_TRUE(corpus->next().ok());
  EXPECT_TRUE(corpus->next().ok());
  EXPECT_THAT(message(corpus->next().status()), HasSubstr("corpus.jsonl, line 3: _id \"a\" came before"));
  EXPECT_TRUE(corpus->gave("b"));
  EXPECT_FALSE(corpus->gave("c"));
}

TEST(BeirFolder, NamesFileAndLine) {
  const ScratchFolder folder;
  EXPECT_EQ(read_judgements(folder, "test").status().code(), absl::StatusCode::kNotFound);
  folder.write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1 d1 1\n");
  EXPECT_THAT(message(read_judgements(folder, "test").status()), HasSubstr("test.tsv, line 2: wants"));
  folder.write("qrels/test.tsv", "query-id\tcorpus-id\tscore\n");
  EXPECT_THAT(message(read_judgements(folder, "test").status()), HasSubstr("judges nothing"));
  folder.write("queries.jsonl", "{\"_id\":\"q\",\"text\":\"a\"}\n");
  EXPECT_THAT(message(read_judged_queries(folder, {{"z", {}}}).status()), HasSubstr("none of the queries"));
  for (const auto& [line, what] : {std::pair{"{", "no JSON object"},
                                   {"{\"text\":\"a\"}", "_id is missing"},
                                   {"{\"_id\":\"a\",\"text\":3}", "text is missing"}}) {
    folder.write("corpus.jsonl", std::string("{\"_id\":\"x\",\"text\":\"y\"}\n") + line + "\n");
    const auto corpus = *CorpusReader::open(folder);
    EXPECT_TRUE(corpus->next().ok());
    EXPECT_THAT(message(corpus->next().status()), HasSubstr(std::string("corpus.jsonl, line 2: ") + what));
  }
}

}  // namespace
}  // namespace bouquet::cli
