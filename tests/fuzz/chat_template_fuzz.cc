// Any bytes as a reranker's chat template: refused, or a prompt that holds query and document.
#include <cstdlib>

#include "ivy/rerank_template.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto form = bouquet::ivy::parse_chat_template({reinterpret_cast<const char*>(data), size});
  if (!form.ok()) return 0;
  const bouquet::ivy::RerankPrompt prompt = bouquet::ivy::render(*form, "", "the query", "the document");
  if (prompt.body.find("the query") == std::string::npos || !prompt.body.ends_with("the document")) std::abort();
  return 0;
}
