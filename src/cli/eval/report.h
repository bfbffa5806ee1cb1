// What an evaluation found: means over the queries, a table or a line of JSON, and the rankings as a TREC run.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "cli/eval/beir_folder.h"

namespace bouquet::cli {

// A document found for a query, by id.
struct Hit {
  std::string document;
  float score;
};

struct Score {
  double ndcg = 0, recall = 0, reciprocal_rank = 0;  // at 10, 100, 10; means
};

struct EvalReport {
  std::string model, dtype;  // dtype "": not known, as of a server's
  std::string split, similarity;
  int64_t queries = 0, documents = 0;
  double seconds = 0;  // for embedding and ranking; the model was loaded before
  Score score;
};

// `rankings` [queries], best first.
Score mean_score(const std::vector<Query>& queries, const std::vector<std::vector<Hit>>& rankings,
                 const Judgements& judgements);

// "query Q0 document rank score tag" lines, as trec_eval reads them.
void write_run(std::ostream& out, const std::vector<Query>& queries, const std::vector<std::vector<Hit>>& rankings);

std::string to_json(const EvalReport& report);
std::string to_table(const EvalReport& report);

}  // namespace bouquet::cli
