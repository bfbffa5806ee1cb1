// Any bytes as a tokenizer.json, then any bytes as text: no crash, and what comes out keeps its promises.
//
// The input is the file, then a byte 0, then a text; without a byte 0 there is no text. Where the file does not load,
// the text is tried with a small file that does.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "tokenizer/tokenizer.h"

namespace {

using bouquet::tokenizer::EncodeOptions;
using bouquet::tokenizer::Encoding;
using bouquet::tokenizer::Tokenizer;
using bouquet::tokenizer::TruncationSide;

constexpr char kSmallFile[] = R"({"added_tokens":[
  {"id":2,"content":"[SEP]","special":true,"single_word":false,"lstrip":true,"rstrip":true,"normalized":false},
  {"id":7,"content":"Ab","special":false,"single_word":true,"lstrip":false,"rstrip":false,"normalized":true}],
  "normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,
    "lowercase":true},
  "pre_tokenizer":{"type":"BertPreTokenizer"},
  "post_processor":{"type":"BertProcessing","sep":["[SEP]",2],"cls":["[CLS]",1]},
  "decoder":{"type":"WordPiece","prefix":"##","cleanup":true},
  "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
    "vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"a":3,"##a":4,"b":5,"##b":6}}})";

void require(bool condition) {
  if (!condition) std::abort();
}

void check_arrays(const Encoding& encoding, const EncodeOptions& options, size_t longest) {
  require(encoding.offsets.size() == encoding.ids.size() && encoding.type_ids.size() == encoding.ids.size() &&
          encoding.special.size() == encoding.ids.size());
  require(options.max_length == 0 || encoding.ids.size() <= static_cast<size_t>(options.max_length));
  for (const auto& offset : encoding.offsets) require(offset.begin <= offset.end && offset.end <= longest);
}

// Whether the template has the text exactly once, so that what a limit keeps is one end of the whole.
bool text_appears_once(const Tokenizer& tokenizer) {
  Encoding encoding;
  EncodeOptions options;
  options.add_special_tokens = false;
  tokenizer.encode("a", options, &encoding);
  return encoding.ids.size() == 1;
}

bool ends_agree(const Encoding& full, const Encoding& cut, bool left) {
  if (cut.truncated != (cut.ids.size() < full.ids.size())) return false;
  return left ? std::equal(cut.ids.rbegin(), cut.ids.rend(), full.ids.rbegin())
              : std::equal(cut.ids.begin(), cut.ids.end(), full.ids.begin());
}

// Ids of the text alone, and that each limit keeps the right end of them.
void check_cuts(const Tokenizer& tokenizer, const std::string& text) {
  Encoding full, encoding;
  EncodeOptions options;
  options.add_special_tokens = false;
  tokenizer.encode(text, options, &full);
  check_arrays(full, options, text.size());
  tokenizer.decode(full.ids, true);
  for (const int32_t most : {1, 5, 20}) {
    options.max_length = most;
    options.truncation_side = TruncationSide::kRight;
    tokenizer.encode(text, options, &encoding);
    check_arrays(encoding, options, text.size());
    const bool once = text_appears_once(tokenizer);
    require(!once || ends_agree(full, encoding, false));
    options.truncation_side = TruncationSide::kLeft;
    tokenizer.encode(text, options, &encoding);
    check_arrays(encoding, options, text.size());
    require(!once || ends_agree(full, encoding, true));
  }
}

void check(const Tokenizer& tokenizer, const std::string& text) {
  check_cuts(tokenizer, text);
  EncodeOptions options;
  Encoding encoding;
  for (const int32_t most : {0, 1, 4, 9}) {
    options.max_length = most;
    options.literal_special_tokens = most == 4;
    tokenizer.encode_pair(text, "a b [SEP]", options, &encoding);
    check_arrays(encoding, options, std::max<size_t>(text.size(), 9));
    tokenizer.decode(encoding.ids, most == 4);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::unique_ptr<const Tokenizer> small = *Tokenizer::from_json(kSmallFile);
  const std::string input(reinterpret_cast<const char*>(data), size);
  const size_t split = std::min(input.find('\0'), input.size());
  const std::string text = split < input.size() ? input.substr(split + 1) : "";
  const auto loaded = Tokenizer::from_json(input.substr(0, split));
  const Tokenizer& tokenizer = loaded.ok() ? **loaded : *small;
  check(tokenizer, text);
  check(tokenizer, "The a\xCC\x81 [SEP] Ab \xE5\x8C\x97\xFF, b");
  return 0;
}
