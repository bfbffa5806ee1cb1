// Arbitrary bytes as the body of each of vLLM's routes: a job that is not empty, or an error.
#include "dialect_fuzz.h"
#include "ivy/api/vllm.h"

namespace {

template <class Parsed>
void check(const absl::StatusOr<Parsed>& parsed, const bouquet::ivy::Job& job) {
  if (!parsed.ok()) bouquet::ivy::vllm_error(parsed.status());
  if (parsed.ok() && job.inputs.empty()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace bouquet::ivy;
  const auto parse_all = [](const Document& document, const ApiContext& context) {
    const auto check_job = [](const auto& parsed) { check(parsed, parsed.ok() ? parsed->job : Job()); };
    check_job(parse_vllm_score(document, context));
    check_job(parse_vllm_classify(document, context));
    check_job(parse_vllm_pooling(document, context));
    check_job(parse_vllm_tokenize(document, context));
    const auto ids = parse_vllm_detokenize(document, context);
    check(ids, ids.ok() ? *ids : Job());
  };
  return fuzz_dialect(data, size, parse_all, [](const absl::Status& status) { vllm_error(status); });
}
