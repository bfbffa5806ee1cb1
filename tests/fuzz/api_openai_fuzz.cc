// Arbitrary bytes as the body of /v1/embeddings: a job within the limits, or an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ivy/api/openai.h"
#include "ivy/testing/fakes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace bouquet::ivy;
  static const auto gateway =
      testing_fakes::make_gateway({std::make_shared<testing_fakes::FakeClient>(testing_fakes::embedder_card())});
  static const ApiOptions options{64, false};
  const auto document = Document::parse({reinterpret_cast<const char*>(data), size});
  if (!document.ok()) {
    openai_error(document.status());
    return 0;
  }
  const ApiContext context{*gateway, options, {}};
  const auto parsed = parse_openai_embedding(*document, context);
  if (!parsed.ok()) openai_error(parsed.status());
  if (parsed.ok() && (parsed->job.inputs.empty() || parsed->job.inputs.size() > options.max_inputs)) __builtin_trap();
  return 0;
}
