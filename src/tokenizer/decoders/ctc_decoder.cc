// Tokens that come out empty are left out.
#include "tokenizer/decoders/ctc_decoder.h"

#include <algorithm>

#include "base/status.h"
#include "tokenizer/decoders/english_cleanup.h"
#include "tokenizer/strings.h"

namespace bouquet::tokenizer {

absl::StatusOr<std::unique_ptr<const Decoder>> CtcDecoder::make(const JsonObject& json) {
  Options options;
  ASSIGN_OR_RETURN(const std::string_view pad, json.text("pad_token"));
  ASSIGN_OR_RETURN(const std::string_view delimiter, json.text("word_delimiter_token"));
  ASSIGN_OR_RETURN(options.cleanup, json.flag("cleanup"));
  if (pad.empty()) return json_error(json.place_of("pad_token"), "is empty");
  if (delimiter.empty()) return json_error(json.place_of("word_delimiter_token"), "is empty");
  options.pad_token = pad;
  options.word_delimiter_token = delimiter;
  return std::make_unique<const CtcDecoder>(std::move(options));
}

void CtcDecoder::decode(std::vector<std::string>* tokens) const {
  tokens->erase(std::unique(tokens->begin(), tokens->end()), tokens->end());
  for (std::string& token : *tokens) {
    replace_all(options_.pad_token, "", &token);
    if (!options_.cleanup) continue;
    clean_up_english(&token);
    replace_all(options_.word_delimiter_token, " ", &token);
  }
  std::erase(*tokens, "");
}

}  // namespace bouquet::tokenizer
