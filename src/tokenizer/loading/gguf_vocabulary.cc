// Vocabulary and merges as they stand; what splits and frames a text by its name, as llama.cpp knows it.
#include "tokenizer/loading/gguf_vocabulary.h"

#include <algorithm>
#include <map>

#include "base/json_writer.h"
#include "base/status.h"
#include "fmt/format.h"
#include "tokenizer/loading/bert_vocabulary.h"
#include "tokenizer/loading/byte_level_text.h"
#include "tokenizer/loading/tokenizer_text.h"
#include "tokenizer/pre_tokenizers/known_patterns.h"

namespace bouquet::tokenizer {
namespace {

enum TokenType : int64_t { kNormal = 1, kControl = 3, kUserDefined = 4, kUnused = 5 };

std::string by_digits() {
  return fmt::format(R"({{"type":"Sequence","pretokenizers":[{{"type":"Digits","individual_digits":true}},{}]}})",
                     byte_level_text(false, true, true));
}
std::string by_gpt2() { return byte_level_text(false, true, true); }
std::string by_qwen() { return split_text(kQwen2Pattern.regex, byte_level_text(false, false, false)); }
std::string by_llama() { return split_text(kLlama3Pattern.regex, byte_level_text(false, true, false)); }

struct Splitting {
  std::string_view name;
  std::string (*pre_tokenizer)();
  std::string_view normalizer;
  bool whole_words;  // a word that is a token is not cut, whatever the merges say
  bool begins;       // with the beginning-of-text token, where the file does not say
};

constexpr Splitting kSplittings[] = {
    {"gpt-2", by_gpt2, "null", false, false},
    {"smollm", by_digits, "null", false, false},
    {"qwen2", by_qwen, R"({"type":"NFC"})", false, false},
    {"llama-bpe", by_llama, "null", true, true},
};

int64_t type_of(const GgufVocabulary& v, size_t id) { return id < v.token_type.size() ? v.token_type[id] : kNormal; }

bool is_added(const GgufVocabulary& v, size_t id) {
  return type_of(v, id) == kControl || type_of(v, id) == kUserDefined;
}

std::vector<AddedToken> added_tokens(const GgufVocabulary& v) {
  std::vector<AddedToken> added;
  for (size_t id = 0; id < v.tokens.size(); ++id) {
    if (!is_added(v, id)) continue;
    added.push_back({.content = std::string(v.tokens[id]), .normalized = false, .special = type_of(v, id) == kControl});
  }
  return added;
}

// An id of the vocabulary, or none.
using Id = std::optional<int64_t>;

bool is_token(const GgufVocabulary& v, Id id) { return id && *id >= 0 && *id < static_cast<int64_t>(v.tokens.size()); }

// The token that a text is framed with, where one is wanted.
absl::StatusOr<Id> frame(const GgufVocabulary& v, std::string_view name, Id id, bool wanted) {
  if (!wanted) return std::nullopt;
  if (!is_token(v, id)) return absl::InvalidArgumentError(fmt::format("tokenizer.ggml.{}_token_id is no token", name));
  return id;
}

// [begin] A [end], and for pairs B [end] with type `second`.
absl::StatusOr<std::string> framed(const GgufVocabulary& v, Id begin, Id end, char second) {
  if (!begin && !end) return "null";
  std::map<std::string, int32_t, std::less<>> ids;
  std::vector<TemplateWord> single, pair;
  const auto add = [&](Id id, char type, std::vector<TemplateWord>* words) {
    if (!id) return;
    words->push_back({v.tokens[static_cast<size_t>(*id)], type});
    ids.emplace(words->back().name, static_cast<int32_t>(*id));
  };
  add(begin, '0', &single);
  single.push_back({"A", '0', true});
  add(end, '0', &single);
  pair = single;
  pair.push_back({"B", second, true});
  add(end, second, &pair);
  return template_text(single, pair, ids);
}

std::string merges_text(const std::vector<std::string_view>& merges) {
  JsonWriter json;
  json.begin_array();
  for (const std::string_view merge : merges) json.string(merge);
  return std::move(json.end_array()).str();
}

std::string vocabulary_text(const GgufVocabulary& v) {
  JsonWriter json;
  json.begin_object();
  for (size_t id = 0; id < v.tokens.size(); ++id) {
    if (type_of(v, id) != kUnused) json.key(v.tokens[id]).number(static_cast<int64_t>(id));
  }
  return std::move(json.end_object()).str();
}

absl::StatusOr<std::string> bpe_json(const GgufVocabulary& v) {
  const auto* splitting = std::find_if(std::begin(kSplittings), std::end(kSplittings),
                                       [&](const Splitting& known) { return known.name == v.pre; });
  if (splitting == std::end(kSplittings)) {
    return absl::UnimplementedError(fmt::format(
        "tokenizer.ggml.pre \"{}\" is not supported (gpt-2, smollm, qwen2 and llama-bpe are); a model directory with "
        "its tokenizer.json is",
        v.pre));
  }
  if (v.tokens.empty()) return absl::InvalidArgumentError("no tokenizer.ggml.tokens");
  if (!v.merges) return absl::InvalidArgumentError("no tokenizer.ggml.merges");
  ASSIGN_OR_RETURN(const Id begin, frame(v, "bos", v.bos_token_id, v.add_bos_token.value_or(splitting->begins)));
  ASSIGN_OR_RETURN(const Id end, frame(v, "eos", v.eos_token_id, v.add_eos_token.value_or(false)));
  TokenizerText text;
  text.normalizer = splitting->normalizer;
  text.pre_tokenizer = splitting->pre_tokenizer();
  text.decoder = byte_level_text(false, true, true);
  text.model = bpe_model_text(vocabulary_text(v), merges_text(*v.merges), splitting->whole_words);
  ASSIGN_OR_RETURN(text.post_processor, framed(v, begin, end, '0'));
  text.add(added_tokens(v));
  return text.json();
}

// llama.cpp marks what begins a word, where BERT's own file marks what does not.
std::string piece_of(std::string_view token, bool added) {
  constexpr std::string_view kBegins = "\u2581";
  if (added || (token.starts_with('[') && token.ends_with(']'))) return std::string(token);
  if (token.starts_with(kBegins)) return std::string(token.substr(kBegins.size()));
  return fmt::format("##{}", token);
}

// A vocabulary with a capital letter is not of lower-cased text.
bool keeps_case(const GgufVocabulary& v) {
  for (size_t id = 0; id < v.tokens.size(); ++id) {
    const std::string_view text = v.tokens[id];
    if (is_added(v, id) || text.starts_with('[')) continue;
    if (std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) return true;
  }
  return false;
}

// As the file says, or the one with the usual text.
Id special(const GgufVocabulary& v, Id id, std::string_view usual) {
  if (id) return id;
  const auto found = std::find(v.tokens.begin(), v.tokens.end(), usual);
  return found == v.tokens.end() ? std::nullopt : Id(found - v.tokens.begin());
}

absl::StatusOr<std::string> wordpiece_json(const GgufVocabulary& v) {
  if (v.tokens.empty()) return absl::InvalidArgumentError("no tokenizer.ggml.tokens");
  const Id begin = special(v, v.cls_token_id, "[CLS]"), end = special(v, v.seperator_token_id, "[SEP]");
  if (!is_token(v, begin) || !is_token(v, end)) {
    return absl::InvalidArgumentError("the tokenizer has no [CLS] or no [SEP]");
  }
  std::map<std::string, int32_t, std::less<>> ids;
  for (size_t id = 0; id < v.tokens.size(); ++id) {
    ids[piece_of(v.tokens[id], is_added(v, id))] = static_cast<int32_t>(id);
  }
  TokenizerConfig config;
  config.flags["do_lower_case"] = !keeps_case(v);
  TokenizerText text = bert_text(ids, "[UNK]", config);
  ASSIGN_OR_RETURN(text.post_processor, framed(v, begin, end, '1'));
  text.add(added_tokens(v));
  return text.json();
}

}  // namespace

absl::StatusOr<std::string> gguf_tokenizer_json(const GgufVocabulary& vocabulary) {
  if (vocabulary.model == "gpt2") return bpe_json(vocabulary);
  if (vocabulary.model == "bert") return wordpiece_json(vocabulary);
  return absl::UnimplementedError(
      fmt::format("tokenizer.ggml.model \"{}\" is not supported (gpt2 and bert are); a model directory with its "
                  "tokenizer.json is",
                  vocabulary.model));
}

}  // namespace bouquet::tokenizer
