// How models for late interaction (ColBERT, Khattab and Zaharia 2020) want texts prepared: lengths by task, queries
// filled up to a length, words that get no vector. Read from the files of sentence-transformers 6, of PyLate, of
// Stanford's ColBERT and of BGE-M3.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::ivy {

enum class Filling : uint8_t {
  kNone,
  kFixed,    // queries are cut and filled to exactly so many tokens
  kAtLeast,  // shorter queries are filled
};

struct LateInteraction {
  int32_t query_length = 0;     // tokens, special ones included; 0: as the model takes
  int32_t document_length = 0;  // likewise
  Filling filling = Filling::kNone;
  int32_t filled_length = 0;
  bool filling_is_seen = true;             // as keys by attention
  std::string filling_token;               // its text in the vocabulary
  std::vector<std::string> skipped_words;  // vocabulary entries without a vector
  bool skips_in_queries = false;
  bool skips_in_documents = true;
  bool drops_first = false;                                 // the first token has no vector (BGE-M3)
  std::map<std::string, std::string, std::less<>> prompts;  // "query", "document": where these files have them
};

// Defaults where the directory says nothing.
absl::StatusOr<LateInteraction> read_late_interaction(const std::filesystem::path& model_directory);

}  // namespace bouquet::ivy
