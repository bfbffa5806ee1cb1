// The text of a tokenizer.json put together from its parts, which are JSON themselves.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tokenizer/added_tokens.h"

namespace bouquet::tokenizer {

struct TokenizerText {
  std::string normalizer = "null", pre_tokenizer = "null", post_processor = "null", decoder = "null", model;
  std::vector<AddedToken> added;

  // Tokens whose content is there already are left out.
  void add(const std::vector<AddedToken>& tokens);
  std::string json() const;
};

// A text or a token of a template.
struct TemplateWord {
  std::string_view name;
  char type = '0';
  bool is_text = false;  // name is A or B
};

// A TemplateProcessing. INVALID_ARGUMENT when a token has no id in `ids`.
absl::StatusOr<std::string> template_text(const std::vector<TemplateWord>& single,
                                          const std::vector<TemplateWord>& pair,
                                          const std::map<std::string, int32_t, std::less<>>& ids);

// The same from templates such as "[CLS] A [SEP] B:1 [SEP]:1"; A and B are the texts, all else tokens, and
// behind the colon is the type.
absl::StatusOr<std::string> template_text(std::string_view single, std::string_view pair,
                                          const std::map<std::string, int32_t, std::less<>>& ids);

}  // namespace bouquet::tokenizer
