// Any bytes as a retrieval test's judgements: refused, or some, of named documents, none below 0.
#include <cstdlib>
#include <sstream>

#include "cli/eval/beir_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  const auto judgements = bouquet::cli::parse_judgements(in, "qrels");
  if (!judgements.ok()) return 0;
  if (judgements->empty()) std::abort();
  for (const auto& [query, documents] : *judgements) {
    if (query.empty() || documents.empty()) std::abort();
    for (const auto& [document, relevance] : documents) {
      if (document.empty() || relevance < 0) std::abort();
    }
  }
  return 0;
}
