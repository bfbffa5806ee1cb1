// JSON lines and tab-separated lines, each error with its file and line.
#include "cli/eval/beir_folder.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/file.h"
#include "base/status.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace bouquet::cli {
namespace {

namespace fs = std::filesystem;

absl::Status wrong(const std::string& path, int64_t line, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}, line {}: {}", path, line, what));
}

std::string again(std::string_view id) { return fmt::format("_id \"{}\" came before", id); }

std::string_view strip(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  const size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

struct Record {
  std::string id, title, text;
};

// {"_id": ..., "title": ..., "text": ...}; ids may be numbers, a title need not be there.
absl::StatusOr<Record> parse_record(const std::string& line, const std::string& path, int64_t number) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(line).get(object)) return wrong(path, number, "no JSON object");
  Record record;
  std::string_view text;
  if (int64_t id = 0; !object["_id"].get(id)) {
    record.id = std::to_string(id);
  } else if (!object["_id"].get(text) && !text.empty()) {
    record.id = text;
  } else {
    return wrong(path, number, "_id is missing");
  }
  if (object["text"].get(text)) return wrong(path, number, "text is missing, or no string");
  record.text = text;
  if (!object["title"].get(text)) record.title = text;
  return record;
}

absl::StatusOr<std::ifstream> open(const fs::path& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(fmt::format("cannot open {}", path.string()));
  return file;
}

// The three columns; false where they are not three, or the last is no number.
bool parse_judgement(std::string_view line, std::string_view* query, std::string_view* document, int32_t* relevance) {
  const size_t first = line.find('\t'), second = first == line.npos ? line.npos : line.find('\t', first + 1);
  if (second == line.npos) return false;
  *query = line.substr(0, first);
  *document = line.substr(first + 1, second - first - 1);
  const std::string_view number = strip(line.substr(second + 1));
  const auto [end, error] = std::from_chars(number.begin(), number.end(), *relevance);
  return error == std::errc() && end == number.end() && !query->empty() && !document->empty();
}

}  // namespace

absl::StatusOr<Judgements> parse_judgements(std::istream& in, const std::string& name) {
  Judgements judgements;
  int64_t number = 0;
  for (std::string line; std::getline(in, line);) {
    std::string_view query, document;
    int32_t relevance = 0;
    const bool good = parse_judgement(line, &query, &document, &relevance);
    if (++number == 1 && !good) continue;  // the header
    if (strip(line).empty()) continue;
    if (!good) return wrong(name, number, "wants a query's id, a document's id and a whole number, with tabs between");
    judgements[std::string(query)][std::string(document)] = std::max(relevance, 0);
  }
  if (judgements.empty()) return absl::InvalidArgumentError(fmt::format("{} judges nothing", name));
  return judgements;
}

absl::StatusOr<Judgements> read_judgements(const fs::path& folder, const std::string& split) {
  fs::path path = folder / "qrels" / (split + ".tsv");
  if (split == "test" && !file_exists(path) && file_exists(folder / "qrels.tsv")) path = folder / "qrels.tsv";
  ASSIGN_OR_RETURN(std::ifstream file, open(path));
  return parse_judgements(file, path.string());
}

absl::StatusOr<std::vector<Query>> read_judged_queries(const fs::path& folder, const Judgements& judgements) {
  const fs::path path = folder / "queries.jsonl";
  ASSIGN_OR_RETURN(std::ifstream file, open(path));
  std::vector<Query> queries;
  absl::flat_hash_set<std::string> known;
  int64_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (strip(line).empty()) continue;
    ASSIGN_OR_RETURN(Record record, parse_record(line, path.string(), number));
    if (!judgements.contains(record.id)) continue;
    if (strip(record.text).empty()) return wrong(path.string(), number, "text is empty");
    if (!known.insert(record.id).second) return wrong(path.string(), number, again(record.id));
    queries.push_back({std::move(record.id), std::string(strip(record.text))});
  }
  if (queries.empty()) {
    return absl::InvalidArgumentError(fmt::format("{} has none of the queries that are judged", path.string()));
  }
  return queries;
}

absl::StatusOr<std::unique_ptr<CorpusReader>> CorpusReader::open(const fs::path& folder) {
  std::unique_ptr<CorpusReader> reader(new CorpusReader(folder / "corpus.jsonl"));
  if (!reader->file_) return absl::NotFoundError(fmt::format("cannot open {}", reader->path_.string()));
  return reader;
}

absl::StatusOr<std::optional<std::string>> CorpusReader::next() {
  for (std::string line; std::getline(file_, line);) {
    ++line_;
    bytes_ += static_cast<int64_t>(line.size()) + 1;
    if (strip(line).empty()) continue;
    ASSIGN_OR_RETURN(Record record, parse_record(line, path_.string(), line_));
    const std::string text = fmt::format("{} {}", record.title, record.text);
    if (strip(text).empty()) {
      ++empty_;
      continue;
    }
    if (known_.contains(record.id)) return wrong(path_.string(), line_, again(record.id));
    known_.insert(ids_.emplace_back(std::move(record.id)));
    return std::string(strip(text));
  }
  return std::nullopt;
}

}  // namespace bouquet::cli
