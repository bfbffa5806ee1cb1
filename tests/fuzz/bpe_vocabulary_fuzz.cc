// Any bytes as vocab.json and merges.txt (up to the first zero byte, and behind it): converted or refused, and what was
// converted is loaded or refused.
#include <string_view>

#include "tokenizer/loading/bpe_vocabulary.h"
#include "tokenizer/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t end = bytes.find('\0');
  const std::string_view vocabulary = bytes.substr(0, end);
  const std::string_view merges = end == std::string_view::npos ? "" : bytes.substr(end + 1);
  for (const char* name : {"GPT2Tokenizer", "RobertaTokenizer", "Qwen2Tokenizer"}) {
    bouquet::tokenizer::TokenizerConfig config;
    config.tokenizer_class = name;
    const auto json = bouquet::tokenizer::bpe_tokenizer_json(vocabulary, merges, config);
    if (json.ok()) (void)bouquet::tokenizer::Tokenizer::from_json(*json);
  }
  return 0;
}
