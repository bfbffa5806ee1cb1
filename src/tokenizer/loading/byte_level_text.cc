// Filled-in forms.
#include "tokenizer/loading/byte_level_text.h"

#include "fmt/format.h"
#include "tokenizer/loading/json_text.h"

namespace bouquet::tokenizer {

std::string byte_level_text(bool prefix_space, bool trims, bool splits) {
  return fmt::format(R"({{"type":"ByteLevel","add_prefix_space":{},"trim_offsets":{},"use_regex":{}}})", prefix_space,
                     trims, splits);
}

std::string split_text(std::string_view regex, std::string_view next) {
  return fmt::format(
      R"({{"type":"Sequence","pretokenizers":[{{"type":"Split","pattern":{{"Regex":{}}},"behavior":"Isolated",)"
      R"("invert":false}},{}]}})",
      json_quoted(regex), next);
}

std::string bpe_model_text(std::string_view vocabulary, std::string_view merges, bool whole_words) {
  return fmt::format(
      R"({{"type":"BPE","dropout":null,"unk_token":null,"continuing_subword_prefix":"","end_of_word_suffix":"",)"
      R"("fuse_unk":false,"byte_fallback":false,"ignore_merges":{},"vocab":{},"merges":{}}})",
      whole_words, vocabulary, merges);
}

}  // namespace bouquet::tokenizer
