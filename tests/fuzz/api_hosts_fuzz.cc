// Arbitrary bytes as the body of the routes of Ollama, Vertex AI and Weaviate: jobs within the limits, or an error.
#include "dialect_fuzz.h"
#include "ivy/api/hosts.h"
#include "ivy/api/ollama.h"
#include "ivy/api/weaviate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace bouquet::ivy;
  const auto parse_all = [](const Document& document, const ApiContext& context) {
    for (const auto parse : {parse_ollama_embed, parse_ollama_embeddings, parse_weaviate}) {
      const auto job = parse(document, context);
      if (!job.ok()) ollama_error(job.status());
      if (job.ok() && (job->inputs.empty() || job->inputs.size() > context.options.max_inputs)) __builtin_trap();
    }
    const auto works = parse_vertex(document, context);
    if (!works.ok()) return void(tei_error(works.status()));
    size_t inputs = 0;
    for (const TeiWork& work : *works) inputs += work.job.inputs.size();
    if (inputs == 0 || inputs > context.options.max_inputs) __builtin_trap();
  };
  return fuzz_dialect(data, size, parse_all, [](const absl::Status& status) { ollama_error(status); });
}
