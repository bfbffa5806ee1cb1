// `bouquet eval`: how well a model finds what belongs to a query, on a folder in BEIR's format.
#include <chrono>
#include <deque>
#include <fstream>
#include <iostream>
#include <memory>

#include "base/log.h"
#include "base/status.h"
#include "cli/command.h"
#include "cli/eval/beir_folder.h"
#include "cli/eval/embedder.h"
#include "cli/eval/ranking.h"
#include "cli/eval/report.h"
#include "cli/eval/rows.h"
#include "cli/numbers.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDepth = 100;  // documents that are ranked, of each query

struct EvalFlags {
  std::string folder;
  std::string split = "test";
  std::string run_file;
  EmbedderOptions embedder;
  int64_t dimensions = 0;
  bool ignore_own = true;
  bool json = false;
  bool progress = true;
};

class QueryReader : public RecordReader {
 public:
  explicit QueryReader(const std::vector<Query>& queries) : queries_(queries) {}
  absl::StatusOr<std::optional<std::string>> next() override {
    if (at_ == queries_.size()) return std::nullopt;
    return queries_[at_++].text;
  }
  int64_t line() const override { return static_cast<int64_t>(at_); }
  int64_t bytes() const override { return static_cast<int64_t>(at_); }

 private:
  const std::vector<Query>& queries_;
  size_t at_ = 0;
};

absl::Status embed_all(Embedder& embedder, RecordReader& reader, TextKind kind, uint64_t total, VectorWriter& writer,
                       bool shows) {
  Progress progress(kind == TextKind::kQuery ? "queries" : "documents", "texts", shows);
  const InterruptWatch interrupt;
  progress.update(0, total, 0);
  ASSIGN_OR_RETURN(const PipelineReport report,
                   embedder.embed(reader, kind, writer, [&](const PipelineReport& r, int64_t bytes) {
                     progress.update(static_cast<uint64_t>(bytes), total, static_cast<double>(r.records));
                     return !interrupt.seen();
                   }));
  progress.finish();
  return report.complete ? absl::OkStatus() : absl::CancelledError("interrupted");
}

// A document with the query's own id is the query itself, and no answer to it where `ignore_own` says so.
std::vector<Hit> hits_of(const std::vector<Scored>& best, const std::deque<std::string>& ids, const std::string& query,
                         bool ignore_own) {
  std::vector<Hit> hits;
  for (const Scored& scored : best) {
    const std::string& id = ids[static_cast<size_t>(scored.document)];
    if ((id != query || !ignore_own) && hits.size() < kDepth) hits.push_back({id, scored.score});
  }
  return hits;
}

// Says on standard error what of the folder does not fit together, since it lowers the figures.
void warn(const EvalFlags& f, const std::vector<Query>& queries, const Judgements& judgements,
          const CorpusReader& corpus) {
  size_t unknown = 0, own = 0;
  for (const Query& query : queries) {
    for (const auto& [document, relevance] : judgements.at(query.id)) {
      unknown += corpus.gave(document) ? 0 : 1;
      own += relevance > 0 && document == query.id && f.ignore_own ? 1 : 0;
    }
  }
  if (queries.size() < judgements.size()) {
    std::cerr << fmt::format("{} judged queries are not in queries.jsonl\n", judgements.size() - queries.size());
  }
  if (corpus.empty() > 0) std::cerr << fmt::format("{} documents without text are never found\n", corpus.empty());
  if (unknown > 0)
    std::cerr << fmt::format("{} judgements are of documents that corpus.jsonl does not give\n", unknown);
  if (own > 0) {
    std::cerr << fmt::format("{} relevant documents have their query's own id: --no-ignore-identical-ids keeps them\n",
                             own);
  }
}

// Fails before the work rather than after it.
absl::StatusOr<std::ofstream> open_run(const std::string& path) {
  if (path.empty()) return std::ofstream();
  std::ofstream file(path);
  if (!file) return absl::UnavailableError(fmt::format("cannot write {}", path));
  return file;
}

absl::Status evaluate(EvalFlags& f) {
  init_log(LogFormat::kText, "warn");
  ASSIGN_OR_RETURN(const Judgements judgements, read_judgements(f.folder, f.split));
  ASSIGN_OR_RETURN(const std::vector<Query> queries, read_judged_queries(f.folder, judgements));
  ASSIGN_OR_RETURN(const std::unique_ptr<CorpusReader> corpus, CorpusReader::open(f.folder));
  ASSIGN_OR_RETURN(std::ofstream run, open_run(f.run_file));
  ASSIGN_OR_RETURN(const std::unique_ptr<Embedder> embedder, Embedder::create(f.embedder));
  const auto start = std::chrono::steady_clock::now();
  RowForm form{.unit = embedder->similarity() == "cosine", .leading = static_cast<size_t>(f.dimensions)};
  QueryReader reader(queries);
  Collector vectors(form);
  RETURN_IF_ERROR(embed_all(*embedder, reader, TextKind::kQuery, queries.size(), vectors, f.progress));
  form.width = vectors.width();
  Ranking ranking(std::move(vectors.values), form.width, kDepth + 1);  // one may be the query itself
  Ranker ranker(form, &ranking);
  std::error_code ignored;
  const uint64_t bytes = fs::file_size(fs::path(f.folder) / "corpus.jsonl", ignored);
  RETURN_IF_ERROR(embed_all(*embedder, *corpus, TextKind::kDocument, bytes, ranker, f.progress));
  if (ranker.rows() == 0) return absl::InvalidArgumentError("corpus.jsonl has no documents");
  std::vector<std::vector<Hit>> rankings;
  for (size_t i = 0; i < queries.size(); ++i) {
    rankings.push_back(hits_of(ranking.best(i), corpus->ids(), queries[i].id, f.ignore_own));
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  warn(f, queries, judgements, *corpus);
  const EvalReport report{embedder->model(),
                          embedder->dtype(),
                          f.split,
                          embedder->similarity(),
                          static_cast<int64_t>(queries.size()),
                          ranker.rows(),
                          seconds.count(),
                          mean_score(queries, rankings, judgements)};
  std::cout << (f.json ? to_json(report) : to_table(report)) << "\n";
  if (f.run_file.empty()) return absl::OkStatus();
  write_run(run, queries, rankings);
  return run.flush() ? absl::OkStatus() : absl::UnavailableError(fmt::format("cannot write {}", f.run_file));
}

}  // namespace

Action add_eval(CLI::App& app) {
  CLI::App* c = app.add_subcommand("eval", "Score retrieval on a folder in BEIR's format: nDCG@10, recall@100, MRR@10");
  auto flags = std::make_shared<EvalFlags>();
  EmbedderOptions& e = flags->embedder;
  c->add_option("folder", flags->folder, "Holds corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv")->required();
  e.model.add_to(*c, "-m,--model");
  c->add_option("--split", flags->split, "Which judgements: the name of a file in qrels/")->capture_default_str();
  c->add_option("--similarity", e.similarity,
                "cosine; dot: the product of the vectors as they come; auto: as the model's files say, else cosine")
      ->check(CLI::IsMember({"auto", "cosine", "dot"}))
      ->capture_default_str();
  c->add_option("--dimensions", flags->dimensions, "Leading dimensions to keep; 0: all")
      ->check(zero_or_more())
      ->capture_default_str();
  c->add_flag("--ignore-identical-ids,!--no-ignore-identical-ids", flags->ignore_own,
              "A document with a query's own id is no answer to it (default, as in BEIR)");
  c->add_option("--query-prompt", e.query_prompt,
                "A prompt of the model's for queries; auto: \"query\", if it has that")
      ->capture_default_str();
  c->add_option("--document-prompt", e.document_prompt,
                "... and for documents; auto: \"document\", \"passage\" or \"corpus\", if it has one")
      ->capture_default_str();
  c->add_option("--query-prefix", e.query_prefix, "A text to put before each query, as it is");
  c->add_option("--document-prefix", e.document_prefix, "... and before each document");
  c->add_option("--url", e.url, "Ask a server, e.g. http://localhost:8080, in place of a model in this process");
  c->add_option("--dialect", e.dialect, "How the server is asked: openai, tei, ...")->capture_default_str();
  c->add_option("--server-model", e.server_model, "The model's name there; none: the first that it lists");
  c->add_option("--key", e.key, "The server's API key");
  c->add_option("--run", flags->run_file, "Write the first 100 of each query to a file that trec_eval reads");
  c->add_flag("--json", flags->json, "A line of JSON");
  c->add_flag("--progress,!--no-progress", flags->progress, "Show progress on standard error (default)");
  c->footer(
      "  bouquet eval ./scifact -m BAAI/bge-small-en-v1.5\n"
      "  bouquet eval ./scifact -m intfloat/e5-small-v2 --query-prefix 'query: ' --document-prefix 'passage: '\n"
      "  bouquet eval ./scifact --url http://localhost:8080\n\n"
      "Search is exact; of equal scores the document that comes first in corpus.jsonl is first (trec_eval: the "
      "greater\n"
      "id). Only judged queries count. The server's key may also be in the variable BOUQUET_KEY.");
  return [flags] { return evaluate(*flags); };
}

}  // namespace bouquet::cli
