// Each class has its own special tokens, and its own way to split and to frame a text.
#include "tokenizer/loading/bpe_vocabulary.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/status.h"
#include "base/utf8.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "simdjson.h"
#include "tokenizer/loading/byte_level_text.h"
#include "tokenizer/loading/json_text.h"
#include "tokenizer/loading/lines.h"
#include "tokenizer/loading/tokenizer_text.h"
#include "tokenizer/pre_tokenizers/known_patterns.h"

namespace bouquet::tokenizer {
namespace {

using Ids = std::map<std::string, int32_t, std::less<>>;

absl::StatusOr<Ids> read_ids(std::string_view vocabulary) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  const absl::Status wrong = absl::InvalidArgumentError("is no JSON object of tokens and their ids");
  if (parser.parse(vocabulary.data(), vocabulary.size()).get(object)) return wrong;
  Ids ids;
  for (const auto& [token, value] : object) {
    int64_t id = 0;
    if (value.get(id) || id < 0 || id > INT32_MAX) return wrong;
    ids.emplace(token, static_cast<int32_t>(id));
  }
  return ids;
}

// A pair a line; a first line that names the version is none.
absl::StatusOr<std::string> merges_text(std::string_view text) {
  if (!is_valid_utf8(text)) return absl::InvalidArgumentError("merges.txt is not UTF-8");
  std::vector<std::string> pairs;
  absl::Status status;
  for_lines(text, [&](int32_t index, std::string_view pair) {
    if (pair.empty() || (index == 0 && pair.starts_with("#version"))) return;
    if (std::count(pair.begin(), pair.end(), ' ') != 1) {
      status.Update(absl::InvalidArgumentError(fmt::format("merges.txt, line {}: no pair", index + 1)));
    }
    pairs.push_back(json_quoted(pair));
  });
  RETURN_IF_ERROR(status);
  return fmt::format("[{}]", fmt::join(pairs, ","));
}

absl::Status fill_roberta(const TokenizerConfig& config, const Ids& ids, TokenizerText* text) {
  const AddedToken begin = config.token("cls_token", "<s>"), end = config.token("sep_token", "</s>");
  const bool prefix_space = config.flag("add_prefix_space", false);
  const auto cls = ids.find(begin.content), sep = ids.find(end.content);
  if (cls == ids.end() || sep == ids.end()) {
    return absl::InvalidArgumentError(fmt::format("lacks {} or {}", begin.content, end.content));
  }
  text->pre_tokenizer = byte_level_text(prefix_space, true, true);
  text->post_processor = fmt::format(
      R"({{"type":"RobertaProcessing","sep":[{},{}],"cls":[{},{}],"trim_offsets":{},"add_prefix_space":{}}})",
      json_quoted(end.content), sep->second, json_quoted(begin.content), cls->second, config.flag("trim_offsets", true),
      prefix_space);
  text->add({begin, config.token("pad_token", "<pad>"), end, config.token("unk_token", "<unk>"),
             config.token("mask_token", "<mask>"), config.token("bos_token", "<s>"),
             config.token("eos_token", "</s>")});
  return absl::OkStatus();
}

absl::Status fill_gpt2(const TokenizerConfig& config, const Ids& ids, TokenizerText* text) {
  constexpr std::string_view kEnd = "<|endoftext|>";
  const AddedToken begin = config.token("bos_token", kEnd);
  text->pre_tokenizer = byte_level_text(config.flag("add_prefix_space", false), true, true);
  text->post_processor = byte_level_text(true, false, true);
  if (config.flag("add_bos_token", false)) {
    ASSIGN_OR_RETURN(text->post_processor, template_text(fmt::format("{} A", begin.content),
                                                         fmt::format("{0} A {0}:1 B:1", begin.content), ids));
  }
  text->add({begin, config.token("eos_token", kEnd), config.token("unk_token", kEnd)});
  return absl::OkStatus();
}

absl::Status fill_qwen2(const TokenizerConfig& config, const Ids&, TokenizerText* text) {
  constexpr std::string_view kEnd = "<|endoftext|>";
  text->normalizer = R"({"type":"NFC"})";
  text->pre_tokenizer =
      split_text(kQwen2Pattern.regex, byte_level_text(config.flag("add_prefix_space", false), true, false));
  text->post_processor = byte_level_text(true, false, true);
  text->add({config.token("eos_token", kEnd), config.token("unk_token", kEnd), config.token("pad_token", kEnd)});
  return absl::OkStatus();
}

struct Class {
  std::string_view name;
  absl::Status (*fill)(const TokenizerConfig&, const Ids&, TokenizerText*);
};

constexpr Class kClasses[] = {
    {"", fill_gpt2}, {"GPT2Tokenizer", fill_gpt2}, {"RobertaTokenizer", fill_roberta}, {"Qwen2Tokenizer", fill_qwen2}};

}  // namespace

absl::StatusOr<std::string> bpe_tokenizer_json(std::string_view vocabulary, std::string_view merges,
                                               const TokenizerConfig& config) {
  const auto* found = std::find_if(std::begin(kClasses), std::end(kClasses),
                                   [&](const Class& known) { return known.name == config.tokenizer_class; });
  if (found == std::end(kClasses)) {
    return absl::UnimplementedError(
        fmt::format("tokenizer_class \"{}\" with a vocab.json is not supported", config.tokenizer_class));
  }
  ASSIGN_OR_RETURN(const Ids ids, read_ids(vocabulary));
  ASSIGN_OR_RETURN(const std::string pairs, merges_text(merges));
  TokenizerText text;
  text.model = bpe_model_text(vocabulary, pairs, false);
  text.decoder = byte_level_text(true, true, true);
  text.add(config.added);
  RETURN_IF_ERROR(found->fill(config, ids, &text));
  text.add(config.additional);
  return text.json();
}

}  // namespace bouquet::tokenizer
