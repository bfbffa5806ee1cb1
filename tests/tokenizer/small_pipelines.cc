// Vocabularies are made of letters and a few longer pieces; the rest is what published files have.
#include "tokenizer/small_pipelines.h"

#include <array>

#include "base/json_writer.h"
#include "fmt/format.h"
#include "tokenizer/pre_tokenizers/known_patterns.h"
#include "tokenizer/testing/small_charsmap.h"
#include "tokenizer/unicode/byte_alphabet.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

using Strings = std::vector<std::string>;
using Pairs = std::vector<std::array<std::string, 2>>;

Strings letters(const std::string& prefix) {
  Strings result;
  for (char letter = 'a'; letter < 'z'; ++letter) result.push_back(prefix + letter);  // no z: unknown
  return result;
}

void append(const Strings& more, Strings* to) { to->insert(to->end(), more.begin(), more.end()); }

std::string vocab(const Strings& tokens) {
  JsonWriter json;
  json.begin_object();
  int64_t id = 0;
  for (const std::string& token : tokens) json.key(token).number(id++);
  json.end_object();
  return std::move(json).str();
}

// Each is an added, special token with the id it has in `tokens`.
std::string added(const Strings& tokens, const Strings& contents) {
  JsonWriter json;
  json.begin_array();
  for (int64_t id = 0; id < static_cast<int64_t>(tokens.size()); ++id) {
    for (const std::string& content : contents) {
      if (tokens[static_cast<size_t>(id)] != content) continue;
      json.begin_object().key("id").number(id).key("content").string(content).key("special").boolean(true);
      for (const char* const flag : {"single_word", "lstrip", "rstrip", "normalized"}) json.key(flag).boolean(false);
      json.end_object();
    }
  }
  json.end_array();
  return std::move(json).str();
}

std::string wordpiece() {
  Strings tokens = {"[UNK]", "[CLS]", "[SEP]", ",", ".", "北", "京", "か", "the", "in", "##ing", "##er", "123"};
  append(letters(""), &tokens);
  append(letters("##"), &tokens);
  return fmt::format(
      R"({{"added_tokens":{},"normalizer":{{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,
      "strip_accents":null,"lowercase":true}},"pre_tokenizer":{{"type":"BertPreTokenizer"}},
      "post_processor":{{"type":"BertProcessing","sep":["[SEP]",2],"cls":["[CLS]",1]}},
      "model":{{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",
      "max_input_chars_per_word":100,"vocab":{}}}}})",
      added(tokens, {"[CLS]", "[SEP]"}), vocab(tokens));
}

// `normalizer` and `pre_tokenizer` are JSON.
std::string unigram(const std::string& normalizer, const std::string& pre_tokenizer) {
  Strings tokens = {"<s>", "<pad>", "</s>", "<unk>", "▁", "▁the", "▁in", "ing", "er", ",", ".", "北", "京", "北京"};
  append(letters(""), &tokens);
  JsonWriter scores;
  scores.begin_array();
  for (size_t i = 0; i < tokens.size(); ++i) {
    scores.begin_array().string(tokens[i]).number(-1.5 - 0.25 * static_cast<double>(i % 13)).end_array();
  }
  scores.end_array();
  return fmt::format(
      R"({{"added_tokens":{},"normalizer":{},"pre_tokenizer":{},
      "post_processor":{{"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0],"trim_offsets":true,
      "add_prefix_space":true}},"model":{{"type":"Unigram","unk_id":3,"byte_fallback":false,"vocab":{}}}}})",
      added(tokens, {"<s>", "</s>"}), normalizer, pre_tokenizer, scores.view());
}

std::string charsmap() {
  return fmt::format(R"({{"type":"Precompiled","precompiled_charsmap":"{}"}})", kSmallCharsmap);
}

constexpr char kMetaspace[] = R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true})";

std::string unigram_of_xlmr() {
  return unigram(charsmap(),
                 fmt::format(R"({{"type":"Sequence","pretokenizers":[{{"type":"WhitespaceSplit"}},{}]}})", kMetaspace));
}

std::string unigram_of_bgem3() {
  return unigram(
      fmt::format(R"({{"type":"Sequence","normalizers":[{},{{"type":"Replace","pattern":{{"Regex":" {{2,}}"}},
                             "content":" "}}]}})",
                  charsmap()),
      kMetaspace);
}

// Merges that build the words one would expect; each result is appended to `tokens`.
std::string merges(const std::string& space, Strings* tokens) {
  const Pairs pairs = {{"t", "h"},  {"i", "n"},     {"th", "e"}, {"e", "r"},  {"in", "g"},  {space, "the"},
                       {"a", "b"},  {space, "in"},  {"a", "a"},  {"a", "ab"}, {"ab", "ab"}, {"aa", "aa"},
                       {"b", "aa"}, {space, space}, {"o", "u"},  {"r", "s"},  {"ou", "r"},  {"our", "s"}};
  JsonWriter json;
  json.begin_array();
  for (const auto& [left, right] : pairs) {
    json.begin_array().string(left).string(right).end_array();
    tokens->push_back(left + right);
  }
  json.end_array();
  return std::move(json).str();
}

// A Split for each of `patterns`, then ByteLevel.
std::string byte_level(const std::string& normalizer, const Strings& patterns) {
  Strings tokens = {"<|end|>"};
  for (int byte = 0; byte < 256; ++byte) tokens.push_back(utf8_of(byte_to_char(static_cast<unsigned char>(byte))));
  const std::string pairs = merges(utf8_of(byte_to_char(' ')), &tokens);
  JsonWriter json;
  json.begin_array();
  for (const std::string& pattern : patterns) {
    json.begin_object().key("type").string("Split").key("behavior").string("Isolated").key("invert").boolean(false);
    json.key("pattern").begin_object().key("Regex").string(pattern).end_object().end_object();
  }
  json.raw(R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":false,"use_regex":false})").end_array();
  return fmt::format(
      R"({{"added_tokens":{},"normalizer":{},"pre_tokenizer":{{"type":"Sequence","pretokenizers":{}}},
      "model":{{"type":"BPE","dropout":null,"unk_token":null,"continuing_subword_prefix":"","end_of_word_suffix":"",
      "fuse_unk":false,"byte_fallback":false,"ignore_merges":false,"vocab":{},"merges":{}}}}})",
      added(tokens, {"<|end|>"}), normalizer, json.view(), vocab(tokens), pairs);
}

std::string known(std::string_view name) {
  for (const KnownPattern& pattern : known_patterns()) {
    if (pattern.name == name) return std::string(pattern.regex);
  }
  return "";
}

// `normalizer` and `pre_tokenizer` are JSON.
std::string byte_fallback(const std::string& normalizer, const std::string& pre_tokenizer) {
  Strings tokens = {"<unk>", "<s>", "</s>"};
  for (int byte = 0; byte < 256; ++byte) tokens.push_back(fmt::format("<0x{:02X}>", byte));
  append(letters(""), &tokens);
  append({"▁", ",", ".", "北"}, &tokens);
  const std::string pairs = merges("▁", &tokens);
  return fmt::format(
      R"({{"added_tokens":{},"normalizer":{},"pre_tokenizer":{},
      "model":{{"type":"BPE","dropout":null,"unk_token":"<unk>","continuing_subword_prefix":null,
      "end_of_word_suffix":null,"fuse_unk":true,"byte_fallback":true,"ignore_merges":false,"vocab":{},
      "merges":{}}}}})",
      added(tokens, {"<s>", "</s>"}), normalizer, pre_tokenizer, vocab(tokens), pairs);
}

constexpr char kLlamaNormalizer[] = R"({"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},
  {"type":"Replace","pattern":{"String":" "},"content":"▁"}]})";
constexpr char kGemmaNormalizer[] = R"({"type":"Replace","pattern":{"String":" "},"content":"▁"})";
constexpr char kGemmaSplit[] = R"({"type":"Split","pattern":{"String":" "},"behavior":"MergedWithPrevious",
  "invert":false})";

}  // namespace

const std::vector<SmallPipeline>& small_pipelines() {
  static const std::vector<SmallPipeline> pipelines = {
      {"WordPiece", wordpiece()},
      {"UnigramOfXlmr", unigram_of_xlmr()},
      {"UnigramOfBgeM3", unigram_of_bgem3()},
      {"BpeOfQwen2", byte_level(R"({"type":"NFC"})", {known("Qwen2")})},
      {"BpeOfDeepSeek", byte_level("null", {known("DeepSeek 1"), known("DeepSeek 2"), known("DeepSeek 3")})},
      {"BpeOfLlama4", byte_level("null", {known("GPT-4o")})},
      {"BpeOfTekken", byte_level("null", {known("Tekken")})},
      {"BpeOfOtherRegex", byte_level("null", {R"(\p{L}+|\p{N}{1,2}|\s+|[^\s\p{L}\p{N}]+)"})},
      {"BpeOfLlama2", byte_fallback(kLlamaNormalizer, "null")},
      {"BpeOfGemma", byte_fallback(kGemmaNormalizer, kGemmaSplit)},
  };
  return pipelines;
}

}  // namespace bouquet::tokenizer
