// Sums over queries, and their two shapes in print.
#include "cli/eval/report.h"

#include "base/json_writer.h"
#include "cli/eval/metrics.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

double texts_per_second(const EvalReport& report) {
  return report.seconds > 0 ? static_cast<double>(report.queries + report.documents) / report.seconds : 0;
}

}  // namespace

Score mean_score(const std::vector<Query>& queries, const std::vector<std::vector<Hit>>& rankings,
                 const Judgements& judgements) {
  Score sum;
  for (size_t i = 0; i < queries.size(); ++i) {
    std::vector<std::string> documents;
    for (const Hit& hit : rankings[i]) documents.push_back(hit.document);
    const Relevance& relevance = judgements.at(queries[i].id);
    sum.ndcg += ndcg(documents, relevance, 10);
    sum.recall += recall(documents, relevance, 100);
    sum.reciprocal_rank += reciprocal_rank(documents, relevance, 10);
  }
  const auto count = static_cast<double>(queries.size());
  return {sum.ndcg / count, sum.recall / count, sum.reciprocal_rank / count};
}

void write_run(std::ostream& out, const std::vector<Query>& queries, const std::vector<std::vector<Hit>>& rankings) {
  for (size_t i = 0; i < queries.size(); ++i) {
    int rank = 0;
    for (const Hit& hit : rankings[i]) {
      out << fmt::format("{} Q0 {} {} {} bouquet\n", queries[i].id, hit.document, ++rank, hit.score);
    }
  }
}

std::string to_json(const EvalReport& report) {
  JsonWriter json;
  json.begin_object().key("model").string(report.model);
  json.key("dtype");
  report.dtype.empty() ? json.null() : json.string(report.dtype);
  json.key("split").string(report.split).key("similarity").string(report.similarity);
  json.key("queries").number(report.queries).key("documents").number(report.documents);
  json.key("ndcg_at_10").number(report.score.ndcg).key("recall_at_100").number(report.score.recall);
  json.key("mrr_at_10").number(report.score.reciprocal_rank);
  json.key("seconds").number(report.seconds).key("texts_per_second").number(texts_per_second(report)).end_object();
  return std::move(json).str();
}

std::string to_table(const EvalReport& report) {
  return fmt::format("{}{}\n{} queries of {}, {} documents, by {}; {:.1f} texts/s\n", report.model,
                     report.dtype.empty() ? "" : " (" + report.dtype + ")", report.queries, report.split,
                     report.documents, report.similarity, texts_per_second(report)) +
         fmt::format("nDCG@10     {:.4f}\nrecall@100  {:.4f}\nMRR@10      {:.4f}", report.score.ndcg,
                     report.score.recall, report.score.reciprocal_rank);
}

}  // namespace bouquet::cli
