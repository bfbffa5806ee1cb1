// Bytes of neighbours may be one character, so all are put together first.
#include "tokenizer/decoders/byte_level_decoder.h"

#include "base/status.h"
#include "base/utf8.h"
#include "tokenizer/strings.h"
#include "tokenizer/unicode/byte_alphabet.h"

namespace bouquet::tokenizer {

void ByteLevelDecoder::decode(std::vector<std::string>* tokens) const {
  std::string bytes;
  for (const std::string& token : *tokens) bytes.append(alphabet_to_bytes(token).value_or(token));
  tokens->assign(1, replace_invalid_utf8(bytes));
}

absl::StatusOr<std::unique_ptr<const Decoder>> BpeDecoder::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view suffix, json.text("suffix"));
  if (suffix.empty()) return json_error(json.place_of("suffix"), "is empty");
  return std::make_unique<const BpeDecoder>(std::string(suffix));
}

void BpeDecoder::decode(std::vector<std::string>* tokens) const {
  for (size_t i = 0; i < tokens->size(); ++i) {
    replace_all(suffix_, i + 1 == tokens->size() ? "" : " ", &(*tokens)[i]);
  }
}

}  // namespace bouquet::tokenizer
