// Any bytes as a SentencePiece model: no crash in reading it, nor in a tokenizer made of it.
//
// The first byte chooses the class that the model is converted for, the rest is the file.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include "tokenizer/loading/sentencepiece_conversion.h"
#include "tokenizer/loading/sentencepiece_file.h"
#include "tokenizer/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace tokenizer = bouquet::tokenizer;
  constexpr const char* kClasses[] = {"XLMRobertaTokenizer", "T5Tokenizer", "AlbertTokenizer", "LlamaTokenizer",
                                      "GemmaTokenizer"};
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto file = tokenizer::SentencePieceFile::parse(bytes);
  if (!file.ok()) return 0;
  tokenizer::TokenizerConfig config;
  config.tokenizer_class = kClasses[data[0] % std::size(kClasses)];
  config.extra_ids = 3;
  const auto json = tokenizer::sentencepiece_tokenizer_json(*file, config);
  if (!json.ok()) return 0;
  const auto loaded = tokenizer::Tokenizer::from_json(*json);
  if (!loaded.ok()) return 0;
  tokenizer::Encoding encoding;
  (*loaded)->encode("The a\xCC\x81 <s> </s>\t\xE5\x8C\x97\xFF, b", {}, &encoding);
  (*loaded)->decode(encoding.ids, false);
  return 0;
}
