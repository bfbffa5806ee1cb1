// What tokenizer_config.json and special_tokens_map.json say about a tokenizer whose vocabulary is in another file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tokenizer/added_tokens.h"

namespace bouquet::tokenizer {

struct TokenizerConfig {
  std::string tokenizer_class;  // without "Fast" at the end; "" where none is named
  std::map<std::string, bool, std::less<>> flags;
  std::map<std::string, AddedToken, std::less<>> named;  // "bos_token" ...; those that are null are left out
  std::vector<AddedToken> added;                         // of added_tokens_decoder, by id
  std::vector<AddedToken> additional;                    // special ones without a name
  std::optional<int32_t> extra_ids;

  bool flag(std::string_view name, bool otherwise) const;
  // A copy with `content` where the files have nothing.
  AddedToken token(std::string_view name, std::string_view content) const;
};

// Both are the text of the file, "" where there is none. special_tokens_map.json counts only where
// tokenizer_config.json has no added_tokens_decoder. INVALID_ARGUMENT: broken, naming file and field.
absl::StatusOr<TokenizerConfig> read_tokenizer_config(std::string_view config, std::string_view special_tokens);

}  // namespace bouquet::tokenizer
