// `bouquet eval`: how well a model finds what belongs to a query, on a folder in BEIR's format.
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <memory>

#include "base/json_writer.h"
#include "base/log.h"
#include "base/status.h"
#include "cli/command.h"
#include "cli/eval/beir_folder.h"
#include "cli/eval/embedder.h"
#include "cli/eval/metrics.h"
#include "cli/eval/ranking.h"
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
  std::string similarity = "cosine";
  std::string run_file;
  EmbedderOptions embedder;
  bool json = false;
  bool progress = true;
};

struct Score {
  double ndcg = 0, recall = 0, reciprocal_rank = 0;  // at 10, 100, 10; sums, then means
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

// Rows in memory, to unit length where that is wanted. What cannot fail of a writer of files.
class RowTaker : public VectorWriter {
 public:
  // `width` 0: whatever the first row has.
  RowTaker(bool unit, size_t width) : unit_(unit), width_(width) {}
  int64_t rows() const override { return rows_; }
  absl::Status checkpoint() override { return absl::OkStatus(); }
  absl::Status finish() override { return absl::OkStatus(); }
  absl::Status write(std::span<const float> row) override {
    if (width_ == 0) width_ = row.size();
    if (row.size() != width_ || row.empty()) return absl::InternalError("vectors of several lengths");
    std::vector<float> values(row.begin(), row.end());
    double squares = 0;
    for (const float value : values) squares += double{value} * value;
    const double length = unit_ ? std::sqrt(squares) : 1;
    for (float& value : values) value = static_cast<float>(value / std::max(length, 1e-12));
    take(values);
    ++rows_;
    return absl::OkStatus();
  }
  size_t width() const { return width_; }

 protected:
  virtual void take(std::span<const float> row) = 0;

 private:
  const bool unit_;
  size_t width_;
  int64_t rows_ = 0;
};

class Collector : public RowTaker {
 public:
  explicit Collector(bool unit) : RowTaker(unit, 0) {}
  std::vector<float> values;

 private:
  void take(std::span<const float> row) override { values.insert(values.end(), row.begin(), row.end()); }
};

class Ranker : public RowTaker {
 public:
  Ranker(bool unit, size_t width, Ranking* ranking) : RowTaker(unit, width), ranking_(ranking) {}

 private:
  void take(std::span<const float> row) override { ranking_->add(row); }
  Ranking* ranking_;
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

// A document with the query's own id is the query itself, and no answer to it.
std::vector<std::string> ids_of(const std::vector<Scored>& best, const std::vector<std::string>& ids,
                                const std::string& query) {
  std::vector<std::string> names;
  for (const Scored& scored : best) {
    const std::string& id = ids[static_cast<size_t>(scored.document)];
    if (id != query && names.size() < kDepth) names.push_back(id);
  }
  return names;
}

Score mean_score(const std::vector<Query>& queries, const std::vector<std::vector<std::string>>& rankings,
                 const Judgements& judgements) {
  Score mean;
  for (size_t i = 0; i < queries.size(); ++i) {
    const Relevance& relevance = judgements.at(queries[i].id);
    mean.ndcg += ndcg(rankings[i], relevance, 10);
    mean.recall += recall(rankings[i], relevance, 100);
    mean.reciprocal_rank += reciprocal_rank(rankings[i], relevance, 10);
  }
  const auto count = static_cast<double>(queries.size());
  return {mean.ndcg / count, mean.recall / count, mean.reciprocal_rank / count};
}

// "query Q0 document rank score tag" lines, as trec_eval reads them.
absl::Status write_run(const std::string& path, const std::vector<Query>& queries, const Ranking& ranking,
                       const std::vector<std::string>& ids) {
  if (path.empty()) return absl::OkStatus();
  std::ofstream file(path);
  for (size_t i = 0; i < queries.size(); ++i) {
    int rank = 0;
    for (const Scored& scored : ranking.best(i)) {
      const std::string& id = ids[static_cast<size_t>(scored.document)];
      if (id == queries[i].id) continue;
      file << fmt::format("{} Q0 {} {} {} bouquet\n", queries[i].id, id, ++rank, scored.score);
    }
  }
  file.flush();
  return file ? absl::OkStatus() : absl::UnavailableError(fmt::format("cannot write {}", path));
}

void print(const EvalFlags& f, const std::string& model, size_t queries, size_t documents, const Score& score) {
  if (f.json) {
    JsonWriter json;
    json.begin_object().key("model").string(model).key("split").string(f.split);
    json.key("queries").number(static_cast<int64_t>(queries)).key("documents").number(static_cast<int64_t>(documents));
    json.key("ndcg_at_10").number(score.ndcg).key("recall_at_100").number(score.recall);
    json.key("mrr_at_10").number(score.reciprocal_rank).end_object();
    std::cout << json.view() << "\n";
    return;
  }
  std::cout << fmt::format("{}\n{} queries of {}, {} documents\n", model, queries, f.split, documents);
  std::cout << fmt::format("nDCG@10     {:.4f}\nrecall@100  {:.4f}\nMRR@10      {:.4f}\n", score.ndcg, score.recall,
                           score.reciprocal_rank);
}

absl::Status evaluate(EvalFlags& f) {
  init_log(LogFormat::kText, "warn");
  const bool unit = f.similarity == "cosine";
  f.embedder.normalize = unit;
  ASSIGN_OR_RETURN(const Judgements judgements, read_judgements(f.folder, f.split));
  ASSIGN_OR_RETURN(const std::vector<Query> queries, read_judged_queries(f.folder, judgements));
  ASSIGN_OR_RETURN(const std::unique_ptr<CorpusReader> corpus, CorpusReader::open(f.folder));
  ASSIGN_OR_RETURN(const std::unique_ptr<Embedder> embedder, Embedder::create(f.embedder));
  if (queries.size() < judgements.size()) {
    std::cerr << fmt::format("{} judged queries are not in queries.jsonl\n", judgements.size() - queries.size());
  }
  QueryReader reader(queries);
  Collector vectors(unit);
  RETURN_IF_ERROR(embed_all(*embedder, reader, TextKind::kQuery, queries.size(), vectors, f.progress));
  Ranking ranking(std::move(vectors.values), vectors.width(), kDepth + 1);  // one may be the query itself
  Ranker ranker(unit, vectors.width(), &ranking);
  std::error_code ignored;
  const uint64_t bytes = fs::file_size(fs::path(f.folder) / "corpus.jsonl", ignored);
  RETURN_IF_ERROR(embed_all(*embedder, *corpus, TextKind::kDocument, bytes, ranker, f.progress));
  if (ranker.rows() == 0) return absl::InvalidArgumentError("corpus.jsonl has no documents");
  if (corpus->empty() > 0) std::cerr << fmt::format("{} documents without text are never found\n", corpus->empty());
  std::vector<std::vector<std::string>> rankings;
  for (size_t i = 0; i < queries.size(); ++i) rankings.push_back(ids_of(ranking.best(i), corpus->ids(), queries[i].id));
  RETURN_IF_ERROR(write_run(f.run_file, queries, ranking, corpus->ids()));
  print(f, embedder->description(), queries.size(), corpus->ids().size(), mean_score(queries, rankings, judgements));
  return absl::OkStatus();
}

}  // namespace

Action add_eval(CLI::App& app) {
  CLI::App* c = app.add_subcommand("eval", "Score retrieval on a folder in BEIR's format: nDCG@10, recall@100, MRR@10");
  auto flags = std::make_shared<EvalFlags>();
  EmbedderOptions& e = flags->embedder;
  c->add_option("folder", flags->folder, "Holds corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv")->required();
  e.model.add_to(*c, "-m,--model");
  c->add_option("--split", flags->split, "Which judgements: the name of a file in qrels/")->capture_default_str();
  c->add_option("--similarity", flags->similarity, "cosine, or dot: the product of the vectors as they come")
      ->check(CLI::IsMember({"cosine", "dot"}))
      ->capture_default_str();
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
  c->add_option("--run", flags->run_file, "Write the rankings to a file that trec_eval reads");
  c->add_flag("--json", flags->json, "A line of JSON");
  c->add_flag("--progress,!--no-progress", flags->progress, "Show progress on standard error (default)");
  c->footer(
      "  bouquet eval ./scifact -m BAAI/bge-small-en-v1.5\n"
      "  bouquet eval ./scifact -m intfloat/e5-small-v2 --query-prefix 'query: ' --document-prefix 'passage: '\n"
      "  bouquet eval ./scifact --url http://localhost:8080\n\n"
      "Search is exact. Only judged queries count; a document with a query's own id is no answer to it.");
  return [flags] { return evaluate(*flags); };
}

}  // namespace bouquet::cli
