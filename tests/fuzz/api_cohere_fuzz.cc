// Arbitrary bytes as the body of /v2/embed: a job within the limits, or an error.
#include "dialect_fuzz.h"
#include "ivy/api/cohere.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace bouquet::ivy;
  const auto parse = [](const Document& document, const ApiContext& context) {
    const auto parsed = parse_cohere_embed(document, context);
    if (!parsed.ok()) cohere_error(parsed.status());
    if (parsed.ok() && (parsed->job.inputs.empty() || parsed->job.inputs.size() > context.options.max_inputs)) {
      __builtin_trap();
    }
  };
  return fuzz_dialect(data, size, parse, [](const absl::Status& status) { cohere_error(status); });
}
