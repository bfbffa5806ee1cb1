// Token by token, as `tokenizers` does it: the cleanup never sees more than one token and the space before it.
#include "tokenizer/decoders/wordpiece_decoder.h"

#include "base/status.h"
#include "tokenizer/decoders/english_cleanup.h"

namespace bouquet::tokenizer {

absl::StatusOr<std::unique_ptr<const Decoder>> WordpieceDecoder::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view prefix, json.text("prefix"));
  ASSIGN_OR_RETURN(const bool cleanup, json.flag("cleanup"));
  return std::make_unique<const WordpieceDecoder>(std::string(prefix), cleanup);
}

void WordpieceDecoder::decode(std::vector<std::string>* tokens) const {
  for (size_t i = 0; i < tokens->size(); ++i) {
    std::string& token = (*tokens)[i];
    if (i > 0 && token.starts_with(prefix_)) {
      token.erase(0, prefix_.size());
    } else if (i > 0) {
      token.insert(0, " ");
    }
    if (cleanup_) clean_up_english(&token);
  }
}

}  // namespace bouquet::tokenizer
