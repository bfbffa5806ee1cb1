// Models are made from JSON, so that what reads it is compared as well.
#include "tokenizer/differential.h"

#include <algorithm>
#include <memory>

#include "base/json_writer.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "tokenizer/pre_tokenizers/known_patterns.h"
#include "tokenizer/pre_tokenizers/split_pre_tokenizer.h"
#include "tokenizer/random_models.h"
#include "tokenizer/registry.h"
#include "tokenizer/small_pipelines.h"
#include "tokenizer/testing/small_charsmap.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

// What texts for patterns and whole tokenizers are made of.
const std::vector<std::string> kParts = {"a",
                                         "b",
                                         "ab",
                                         "th",
                                         "the",
                                         "in",
                                         "er",
                                         "Ab",
                                         "É",
                                         "z",
                                         " ",
                                         " ",
                                         "  ",
                                         "\n",
                                         "\t",
                                         "\r\n",
                                         ".",
                                         ",",
                                         "...",
                                         "'s",
                                         "'LL",
                                         "'ſ",
                                         "'",
                                         "\uFF07s",
                                         "-",
                                         "/",
                                         "AB",
                                         "1",
                                         "22",
                                         "½",
                                         "北",
                                         "北京",
                                         "か",
                                         "・",
                                         "。",
                                         "\u3099",
                                         "\u0301",
                                         "\u0323",
                                         "é",
                                         "ʰ",
                                         "ǅ",
                                         "ﬁ",
                                         "™",
                                         "😀",
                                         "\u200d",
                                         "한",
                                         "\u1100",
                                         "\u1161",
                                         "\u00A0",
                                         "\u3000",
                                         "\u2581",
                                         "_",
                                         "<",
                                         ">",
                                         "[",
                                         "]",
                                         "<s>",
                                         "[CLS]",
                                         "[SEP]",
                                         "<|end|>",
                                         "##",
                                         "\x01",
                                         "\u0085",
                                         "\u200b",
                                         "\uFFFD",
                                         "İ",
                                         "ß",
                                         "Ａ",
                                         "\u1E9B",
                                         "aaaaaaaaaaaaaaaa",
                                         "abababababababababababababababab"};
const std::vector<std::string> kIllFormed = {"\xFF", "\xE5\x8C", "\xED\xA0\x80", "\xC3", std::string(1, '\0')};

std::string random_text(Choices* choices, size_t most) {
  std::string text = choices->join(kParts, most);
  if (choices->below(8) == 7) text += choices->one_of(kIllFormed) + choices->join(kParts, 4);
  return text;
}

absl::StatusOr<std::unique_ptr<const Model>> load_model(const std::string& model_json, bool byte_level) {
  simdjson::dom::parser parser;
  JsonElement element;
  const std::string json = fmt::format(R"({{"model":{}}})", model_json);
  if (parser.parse(json).get(element) != simdjson::SUCCESS) return absl::InvalidArgumentError("not JSON");
  const absl::StatusOr<JsonObject> root = JsonObject::of(element, "");
  if (!root.ok()) return root.status();
  return make_model(*root, byte_level);
}

bool is_inner(const std::string& word, size_t at) { return at < word.size() && (word[at] & 0xC0) == 0x80; }

// The bytes of a word that is read as raw bytes, for those of its form in the byte-level alphabet.
Offset from_alphabet(const std::string& word, Offset in_alphabet) {
  Offset bytes;
  uint32_t at = 0;
  for (const char byte : word) {
    const bool two = byte < '!' || byte > '~';  // of the alphabet's UTF-8
    at += two ? 2 : 1;
    bytes.begin += at <= in_alphabet.begin;
    bytes.end += at <= in_alphabet.end;
  }
  return bytes;
}

// A token of part of a character has all of it.
Offset whole_chars(const std::string& word, Offset bytes) {
  while (is_inner(word, bytes.begin)) --bytes.begin;
  while (is_inner(word, bytes.end)) ++bytes.end;
  return bytes;
}

std::string describe(const std::string& model, const std::string& word, const TokenBuffer& got,
                     const ReferenceTokens& wanted) {
  std::string message = fmt::format("model {}\nword \"{}\"\nids {}\nreference", model, word, got.ids);
  for (const ReferenceToken& token : wanted) {
    message += fmt::format(" {} [{}, {})", token.id, token.bytes.begin, token.bytes.end);
  }
  return message;
}

bool same_ids(const TokenBuffer& got, const ReferenceTokens& wanted) {
  return std::equal(got.ids.begin(), got.ids.end(), wanted.begin(), wanted.end(),
                    [](int32_t id, const ReferenceToken& token) { return id == token.id; });
}

bool same_offsets(const TokenBuffer& got, const ReferenceTokens& wanted) {
  return std::equal(got.offsets.begin(), got.offsets.end(), wanted.begin(), wanted.end(),
                    [](const Offset& offset, const ReferenceToken& token) { return offset == token.bytes; });
}

void place_in_word(const BpeReference& model, const std::string& word, ReferenceTokens* tokens) {
  for (ReferenceToken& token : *tokens) {
    if (model.byte_level) token.bytes = from_alphabet(word, token.bytes);
    token.bytes = whole_chars(word, token.bytes);
  }
}

template <typename Reference>
void place_in_word(const Reference&, const std::string&, ReferenceTokens*) {}

// Where characters are left out, or what is put in becomes bytes, places are a matter of convention.
bool has_places(const BpeReference& model) {
  return !model.unk_token.empty() || model.byte_level ? model.prefix.empty() && model.suffix.empty() : false;
}

template <typename Reference>
bool has_places(const Reference&) {
  return true;
}

template <typename Reference>
std::string compare(const Reference& reference, bool byte_level, Choices* choices) {
  const std::string json = json_of(reference);
  const auto model = load_model(json, byte_level);
  if (!model.ok()) return fmt::format("model {}\ndoes not load: {}", json, model.status().ToString());
  for (int i = 0; i < 4; ++i) {
    const std::string word = random_word(choices, i == 3 ? 200 : 12);
    TokenBuffer tokens;
    (*model)->tokenize(word, std::vector<Piece>{{{0, static_cast<uint32_t>(word.size())}}}, word.size() + 1, &tokens);
    ReferenceTokens wanted = reference.tokenize(word);
    if (!same_ids(tokens, wanted)) return describe(json, word, tokens, wanted);
    place_in_word(reference, word, &wanted);
    if (has_places(reference) && !same_offsets(tokens, wanted)) return describe(json, word, tokens, wanted);
  }
  return "";
}

std::string compare_encodings(const Tokenizer& tokenizer, const std::string& text, EncodeOptions options) {
  Encoding full, cut;
  std::vector<int32_t> ids;
  tokenizer.encode(text, options, &full);
  for (const char* const time : {"new", "cached"}) {
    tokenizer.encode_ids(text, options, &ids);
    if (ids != full.ids) return fmt::format("{}: text \"{}\"\nencode_ids {}\nencode {}", time, text, ids, full.ids);
  }
  for (const int32_t most : {1, 3, 17}) {
    for (const auto side : {TruncationSide::kRight, TruncationSide::kLeft}) {
      options.max_length = most;
      options.truncation_side = side;
      tokenizer.encode(text, options, &cut);
      const auto keep = std::min(full.ids.size(), static_cast<size_t>(most));
      const size_t begin = side == TruncationSide::kRight ? 0 : full.ids.size() - keep;
      const bool truncated = tokenizer.encode_ids(text, options, &ids);
      const bool right = std::equal(cut.ids.begin(), cut.ids.end(), full.ids.begin() + static_cast<long>(begin),
                                    full.ids.begin() + static_cast<long>(begin + keep));
      if (right && ids == cut.ids && truncated == cut.truncated && truncated == (keep < full.ids.size())) continue;
      return fmt::format("at most {} from side {}: text \"{}\"\nencode_ids {}\nencode {}\nwhole {}", most,
                         static_cast<int>(side), text, ids, cut.ids, full.ids);
    }
  }
  return "";
}

std::string compare_texts(const Tokenizer& tokenizer, Choices* choices) {
  for (int i = 0; i < 3; ++i) {
    EncodeOptions options;
    options.add_special_tokens = false;
    options.literal_special_tokens = choices->flag();
    const std::string found = compare_encodings(tokenizer, random_text(choices, i == 2 ? 300 : 16), options);
    if (!found.empty()) return found;
  }
  return "";
}

const std::vector<std::string> kNormalizers = {
    "null",
    R"({"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true})",
    R"({"type":"BertNormalizer","clean_text":false,"handle_chinese_chars":true,"strip_accents":false,
        "lowercase":false})",
    R"({"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":false,"strip_accents":true,
        "lowercase":false})",
    R"({"type":"NFC"})",
    R"({"type":"NFKC"})",
    R"({"type":"NFD"})",
    R"({"type":"NFKD"})",
    R"({"type":"Lowercase"})",
    R"({"type":"Nmt"})",
    R"({"type":"Strip","strip_left":true,"strip_right":true})",
    R"({"type":"Prepend","prepend":"▁"})",
    R"({"type":"Replace","pattern":{"String":" "},"content":"▁"})",
    R"({"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "})",
    R"({"type":"Replace","pattern":{"String":"'"},"content":"-"})",
    R"({"type":"Replace","pattern":{"String":"-"},"content":"'"})",
    R"({"type":"Sequence","normalizers":[{"type":"NFD"},{"type":"Lowercase"},{"type":"StripAccents"}]})",
    fmt::format(R"({{"type":"Precompiled","precompiled_charsmap":"{}"}})", kSmallCharsmap),
};

const std::vector<std::string> kPreTokenizers = {
    "null",
    R"({"type":"BertPreTokenizer"})",
    R"({"type":"Whitespace"})",
    R"({"type":"WhitespaceSplit"})",
    R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true})",
    R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"first","split":true})",
    R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"never","split":false})",
    R"({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true})",
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true})",
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false})",
    R"({"type":"Punctuation","behavior":"Isolated"})",
    R"({"type":"Digits","individual_digits":true})",
    R"({"type":"CharDelimiterSplit","delimiter":"-"})",
    R"({"type":"UnicodeScripts"})",
    R"({"type":"FixedLength","length":3})",
    R"({"type":"Split","pattern":{"String":" "},"behavior":"MergedWithNext","invert":false})",
};

std::string split_json(Choices* choices) {
  JsonWriter json;
  json.begin_object().key("type").string("Split").key("behavior").string("Isolated").key("invert").boolean(false);
  json.key("pattern").begin_object().key("Regex").string(choices->one_of(known_patterns()).regex);
  json.end_object().end_object();
  return std::move(json).str();
}

std::string pre_tokenizer_json(Choices* choices) {
  if (choices->flag()) return choices->one_of(kPreTokenizers);
  std::string parts = split_json(choices);
  for (uint32_t n = choices->below(3); n > 0; --n) {
    const std::string more = choices->flag() ? split_json(choices) : choices->one_of(kPreTokenizers);
    if (more != "null") parts += "," + more;
  }
  return fmt::format(R"({{"type":"Sequence","pretokenizers":[{}]}})", parts);
}

std::string added_tokens_json(Choices* choices) {
  const std::vector<std::string> contents = {"<s>",  "[SEP]", "<|end|>", "the", "é", "▁",
                                             "北京", "a b",   ",",       "Ab",  "\n"};
  JsonWriter json;
  json.begin_array();
  for (int64_t id = 1000, end = id + choices->below(4); id < end; ++id) {
    json.begin_object().key("id").number(id).key("content").string(choices->one_of(contents));
    for (const char* const flag : {"special", "single_word", "lstrip", "rstrip", "normalized"}) {
      json.key(flag).boolean(choices->flag());
    }
    json.end_object();
  }
  json.end_array();
  return std::move(json).str();
}

std::string model_json(Choices* choices) {
  switch (choices->below(4)) {
    case 0:
      return json_of(random_wordpiece(choices));
    case 1:
      return json_of(random_unigram(choices));
    case 2:
      return json_of(random_bpe(choices));
    default:
      return json_of(random_byte_level_bpe(choices));
  }
}

// small_pipelines(), loaded once: their caches fill from case to case.
const Tokenizer& small_tokenizer(size_t index) {
  static const std::vector<std::unique_ptr<const Tokenizer>> loaded = [] {
    std::vector<std::unique_ptr<const Tokenizer>> result;
    for (const SmallPipeline& pipeline : small_pipelines()) result.push_back(*Tokenizer::from_json(pipeline.json));
    return result;
  }();
  return *loaded[index];
}

std::vector<std::string> words_of(const CuttingPreTokenizer& pre_tokenizer, const std::string& text) {
  std::vector<Piece> pieces;
  pre_tokenizer.cut(text, {0, static_cast<uint32_t>(text.size())}, &pieces);
  std::vector<std::string> words;
  for (const Piece& piece : pieces) words.push_back(text.substr(piece.span.begin, piece.span.end - piece.span.begin));
  return words;
}

// By Oniguruma.
const SplitPreTokenizer& slow_split(const KnownPattern& pattern) {
  static std::vector<std::unique_ptr<const SplitPreTokenizer>> made(known_patterns().size());
  auto& split = made[static_cast<size_t>(&pattern - known_patterns().data())];
  if (split == nullptr) {
    split =
        std::make_unique<const SplitPreTokenizer>(*Regex::compile(pattern.regex, ""), SplitBehavior::kIsolated, false);
  }
  return *split;
}

}  // namespace

std::string compare_model(std::span<const uint8_t> bytes) {
  Choices choices(bytes);
  switch (choices.below(4)) {
    case 0:
      return compare(random_wordpiece(&choices), false, &choices);
    case 1:
      return compare(random_unigram(&choices), false, &choices);
    case 2:
      return compare(random_bpe(&choices), false, &choices);
    default:
      return compare(random_byte_level_bpe(&choices), true, &choices);
  }
}

std::string compare_pattern(std::span<const uint8_t> bytes) {
  Choices choices(bytes);
  const KnownPattern& pattern = choices.one_of(known_patterns());
  const std::string text = choices.join(kParts, 400);
  const std::vector<std::string> words = words_of(KnownSplitPreTokenizer(pattern), text);
  const std::vector<std::string> wanted = words_of(slow_split(pattern), text);
  return words == wanted ? "" : fmt::format("{}: text \"{}\"\n{}\nOniguruma {}", pattern.name, text, words, wanted);
}

std::string compare_small_pipeline(std::span<const uint8_t> bytes) {
  Choices choices(bytes);
  const size_t index = choices.below(static_cast<uint32_t>(small_pipelines().size()));
  const std::string found = compare_texts(small_tokenizer(index), &choices);
  return found.empty() ? "" : fmt::format("{}, {}", small_pipelines()[index].name, found);
}

std::string compare_any_pipeline(std::span<const uint8_t> bytes) {
  Choices choices(bytes);
  const std::string normalizer = choices.one_of(kNormalizers), pre_tokenizer = pre_tokenizer_json(&choices);
  const std::string added = added_tokens_json(&choices), model = model_json(&choices);
  const std::string json = fmt::format(R"({{"added_tokens":{},"normalizer":{},"pre_tokenizer":{},"model":{}}})", added,
                                       normalizer, pre_tokenizer, model);
  const auto tokenizer = Tokenizer::from_json(json);
  if (!tokenizer.ok()) return fmt::format("{}\ndoes not load: {}", json, tokenizer.status().ToString());
  const std::string found = compare_texts(**tokenizer, &choices);
  return found.empty() ? "" : fmt::format("{}\n{}", json, found);
}

}  // namespace bouquet::tokenizer
