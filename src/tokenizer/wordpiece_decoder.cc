// Token by token, as `tokenizers` does it: the cleanup never sees more than one token and the space before it.
#include "tokenizer/wordpiece_decoder.h"

#include <array>
#include <utility>

#include "base/status.h"
#include "tokenizer/strings.h"

namespace bouquet::tokenizer {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kCleanups = {{{" .", "."},
                                                                                      {" ?", "?"},
                                                                                      {" !", "!"},
                                                                                      {" ,", ","},
                                                                                      {" ' ", "'"},
                                                                                      {" n't", "n't"},
                                                                                      {" 'm", "'m"},
                                                                                      {" do not", " don't"},
                                                                                      {" 's", "'s"},
                                                                                      {" 've", "'ve"},
                                                                                      {" 're", "'re"}}};

void clean_up(std::string* token) {
  for (const auto& [from, to] : kCleanups) replace_all(from, to, token);
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Decoder>> WordpieceDecoder::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view prefix, json.text("prefix"));
  ASSIGN_OR_RETURN(const bool cleanup, json.flag("cleanup"));
  return std::make_unique<const WordpieceDecoder>(std::string(prefix), cleanup);
}

std::string WordpieceDecoder::decode(std::span<const std::string_view> tokens) const {
  std::string text;
  std::string token;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool continues = tokens[i].starts_with(prefix_);
    token.assign(i > 0 && !continues ? " " : "");
    token.append(i > 0 && continues ? tokens[i].substr(prefix_.size()) : tokens[i]);
    if (cleanup_) clean_up(&token);
    text.append(token);
  }
  return text;
}

}  // namespace bouquet::tokenizer
