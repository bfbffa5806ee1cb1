// What a model wants around its input: prompts, length, the side that is cut, how text that spells a special token is
// read. It comes from the model's own files; a small TOML file may override it and be read again while serving.
//
//   default_prompt = "document"        # a name below; "" for none
//   max_length = 256                   # tokens, at most what the model takes
//   truncate = true                    # false: refuse texts that are too long
//   truncation_side = "right"          # the end that is cut: right or left
//   special_tokens_in_text = "control" # or "literal": "[SEP]" typed in a text is ordinary text
//   [prompts]                          # replaces prompts of the same name, adds the others
//   query = "query: "
//   [rerank]
//   query_prefix = ""
//   document_prefix = ""
//   template = "... {instruction} ... {query} ... {document} ..."  # of rerankers that are language models
//   instruction = "..."              # where a request has none
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "ivy/late_interaction.h"
#include "ivy/rerank_template.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::ivy {

struct Recipe {
  std::map<std::string, std::string, std::less<>> prompts;  // name -> the text put before an input
  std::string default_prompt;                               // "" or a name in prompts
  int32_t max_length = 0;                                   // tokens, special ones included; 0: as the replica says
  bool truncate = true;
  tokenizer::TruncationSide truncation_side = tokenizer::TruncationSide::kRight;
  bool literal_special_tokens = false;
  std::string query_prefix;                       // of a pair's first text, when scoring
  std::string document_prefix;                    // of a pair's second text
  std::optional<RerankTemplate> rerank_template;  // of a reranker that is a language model
  LateInteraction late_interaction;               // where the model gives vectors for it
  bool special_tokens = true;                     // the tokenizer's template goes around a text
  std::string dropped_token;    // left out wherever a text has it: model2vec's unknown token; "": none
  std::string chunk_separator;  // the token between a document's chunks, where the model was trained with one
};

// Prompts and default prompt of a sentence-transformers directory; a directory without them has none.
absl::StatusOr<Recipe> read_model_recipe(const std::filesystem::path& model_directory);

// `base` with what the TOML text says in place of it. Unknown keys and wrong types are errors that name file, line and
// key; `file` is what they call it.
absl::StatusOr<Recipe> override_recipe(Recipe base, std::string_view toml, const std::string& file);

// The same with the text of a file; `base` itself where `file` is empty.
absl::StatusOr<Recipe> read_recipe(Recipe base, const std::filesystem::path& file);

// The text of the prompt an input_type or prompt_name asks for. Aliases of other servers are known: search_query is
// query, search_document and passage are document. A name that is not known is an error that lists those that are.
absl::StatusOr<std::string> find_prompt(const Recipe& recipe, std::string_view name);

}  // namespace bouquet::ivy
