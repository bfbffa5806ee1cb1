// Arbitrary bytes as the body of every TEI route: a job that is not empty, or an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ivy/api/tei.h"
#include "ivy/testing/fakes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace bouquet::ivy;
  static const auto gateway =
      testing_fakes::make_gateway({std::make_shared<testing_fakes::FakeClient>(testing_fakes::embedder_card())});
  static const ApiOptions options{64, false};
  const auto document = Document::parse({reinterpret_cast<const char*>(data), size});
  if (!document.ok()) {
    tei_error(document.status());
    return 0;
  }
  const ApiContext context{*gateway, options, {}};
  for (const auto parse : {parse_tei_embed, parse_tei_similarity, parse_tei_tokenize, parse_tei_decode}) {
    const auto job = parse(*document, context);
    if (!job.ok()) tei_error(job.status());
    if (job.ok() && job->inputs.empty()) __builtin_trap();
  }
  for (const auto parse : {parse_tei_rerank, parse_tei_predict}) {
    const auto scores = parse(*document, context);
    if (!scores.ok()) tei_error(scores.status());
    if (scores.ok() && scores->job.inputs.empty()) __builtin_trap();
  }
  return 0;
}
