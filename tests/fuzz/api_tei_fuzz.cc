// Arbitrary bytes as the body of every TEI route: a job that is not empty, or an error.
#include "dialect_fuzz.h"
#include "ivy/api/tei.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace bouquet::ivy;
  const auto parse_all = [](const Document& document, const ApiContext& context) {
    for (const auto parse : {parse_tei_embed, parse_tei_similarity, parse_tei_tokenize, parse_tei_decode}) {
      const auto job = parse(document, context);
      if (!job.ok()) tei_error(job.status());
      if (job.ok() && job->inputs.empty()) __builtin_trap();
    }
    for (const Task task : {Task::kTokens, Task::kSparse}) {
      const auto job = parse_tei_rows(task, document, context);
      if (job.ok() && job->inputs.empty()) __builtin_trap();
    }
    for (const auto parse : {parse_tei_rerank, parse_tei_predict}) {
      const auto scores = parse(document, context);
      if (!scores.ok()) tei_error(scores.status());
      if (scores.ok() && scores->job.inputs.empty()) __builtin_trap();
    }
  };
  return fuzz_dialect(data, size, parse_all, [](const absl::Status& status) { tei_error(status); });
}
