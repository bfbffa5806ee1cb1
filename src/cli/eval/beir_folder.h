// A retrieval test in BEIR's format (Thakur et al. 2021): corpus.jsonl, queries.jsonl, and qrels/SPLIT.tsv, which says
// how relevant documents are to queries.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "cli/embed/record_reader.h"

namespace bouquet::cli {

struct Query {
  std::string id;
  std::string text;
};

// Query -> document -> relevance, 0 or more.
using Judgements = std::map<std::string, std::map<std::string, int32_t>, std::less<>>;

// qrels/SPLIT.tsv, or for the split "test" qrels.tsv where that is not there: a header, then lines of query id,
// document id and relevance. INVALID_ARGUMENT names file and line; a file that judges nothing is one too.
absl::StatusOr<Judgements> read_judgements(const std::filesystem::path& folder, const std::string& split);

// The same of its text; `name` is for messages.
absl::StatusOr<Judgements> parse_judgements(std::istream& in, const std::string& name);

// The queries that are judged, in the file's order. INVALID_ARGUMENT where none is, or where an id comes twice.
absl::StatusOr<std::vector<Query>> read_judged_queries(const std::filesystem::path& folder,
                                                       const Judgements& judgements);

// The documents, title and text as one; those without either are passed over. An id that comes twice is an error: what
// it names would be found, and counted, twice.
class CorpusReader : public RecordReader {
 public:
  static absl::StatusOr<std::unique_ptr<CorpusReader>> open(const std::filesystem::path& folder);
  absl::StatusOr<std::optional<std::string>> next() override;
  int64_t line() const override { return line_; }
  int64_t bytes() const override { return bytes_; }

  const std::deque<std::string>& ids() const { return ids_; }  // of what next() gave, in order
  bool gave(std::string_view id) const { return known_.contains(id); }
  int64_t empty() const { return empty_; }  // passed over so far

 private:
  explicit CorpusReader(std::filesystem::path path) : path_(std::move(path)), file_(path_) {}
  const std::filesystem::path path_;
  std::ifstream file_;
  std::deque<std::string> ids_;
  absl::flat_hash_set<std::string_view> known_;  // into ids_, whose strings stay where they are
  int64_t line_ = 0, bytes_ = 0, empty_ = 0;
};

}  // namespace bouquet::cli
