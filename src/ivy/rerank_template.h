// The prompt of a reranker that is a language model: query and document stand in a text that asks whether the one
// answers the other.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace bouquet::ivy {

struct RerankTemplate {
  std::string text;         // with {query} and {document}, each once, and maybe {instruction}
  std::string instruction;  // where a request has none
};

// What the document ends in, and what comes after it: too long a text is cut at the end of its body.
struct RerankPrompt {
  std::string body;
  std::string tail;
};

RerankPrompt render(const RerankTemplate& form, std::string_view instruction, std::string_view query,
                    std::string_view document);

// INVALID_ARGUMENT where {query} or {document} is missing or the document comes before the query.
absl::Status check_rerank_template(std::string_view text);

// A chat template in Jinja whose messages have the roles query, document and maybe system: literals and the contents of
// such messages, one after the other. UNIMPLEMENTED where it does anything else.
absl::StatusOr<RerankTemplate> parse_chat_template(std::string_view jinja);

// None for a model that is no language model, or no reranker. A model without a template of its own is asked as the
// authors of its kind do (Qwen3-Reranker; mxbai-rerank-v2).
absl::StatusOr<std::optional<RerankTemplate>> find_rerank_template(const std::filesystem::path& model_directory);

}  // namespace bouquet::ivy
