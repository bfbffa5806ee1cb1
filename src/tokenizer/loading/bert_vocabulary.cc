// A token's id is its line, from 0; of a token given twice the last line counts.
#include "tokenizer/loading/bert_vocabulary.h"

#include <algorithm>
#include <map>

#include "base/status.h"
#include "base/utf8.h"
#include "fmt/format.h"
#include "tokenizer/loading/json_text.h"
#include "tokenizer/loading/lines.h"

namespace bouquet::tokenizer {
namespace {

using Ids = std::map<std::string, int32_t, std::less<>>;

Ids read_lines(std::string_view text) {
  Ids ids;
  for_lines(text, [&](int32_t line, std::string_view token) { ids[std::string(token)] = line; });
  return ids;
}

std::string model_text(const Ids& ids, std::string_view unknown) {
  std::string vocab;
  for (const auto& [token, id] : ids) vocab += fmt::format("{}{}:{}", vocab.empty() ? "" : ",", json_quoted(token), id);
  return fmt::format(
      R"({{"type":"WordPiece","unk_token":{},"continuing_subword_prefix":"##","max_input_chars_per_word":100,)"
      R"("vocab":{{{}}}}})",
      json_quoted(unknown), vocab);
}

std::string normalizer_text(const TokenizerConfig& config) {
  const auto accents = config.flags.find("strip_accents");
  return fmt::format(
      R"({{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":{},"strip_accents":{},"lowercase":{}}})",
      config.flag("tokenize_chinese_chars", true),
      accents == config.flags.end() ? "null"
      : accents->second             ? "true"
                                    : "false",
      config.flag("do_lower_case", true));
}

}  // namespace

TokenizerText bert_text(const std::map<std::string, int32_t, std::less<>>& ids, std::string_view unknown,
                        const TokenizerConfig& config) {
  TokenizerText text;
  text.model = model_text(ids, unknown);
  text.normalizer = normalizer_text(config);
  text.pre_tokenizer = R"({"type":"BertPreTokenizer"})";
  text.decoder = R"({"type":"WordPiece","prefix":"##","cleanup":true})";
  return text;
}

absl::StatusOr<std::string> bert_tokenizer_json(std::string_view vocabulary, const TokenizerConfig& config) {
  const std::string& name = config.tokenizer_class;
  constexpr std::string_view kClasses[] = {"", "BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer"};
  if (std::find(std::begin(kClasses), std::end(kClasses), std::string_view(name)) == std::end(kClasses)) {
    return absl::UnimplementedError(fmt::format("tokenizer_class \"{}\" with a vocab.txt is not supported", name));
  }
  if (!is_valid_utf8(vocabulary)) return absl::InvalidArgumentError("is not UTF-8");
  const Ids ids = read_lines(vocabulary);
  const AddedToken unknown = config.token("unk_token", "[UNK]"), separator = config.token("sep_token", "[SEP]");
  const AddedToken start = config.token("cls_token", "[CLS]");
  TokenizerText text = bert_text(ids, unknown.content, config);
  const std::string single = fmt::format("{} A {}", start.content, separator.content);
  const std::string pair = fmt::format("{} B:1 {}:1", single, separator.content);
  ASSIGN_OR_RETURN(text.post_processor, template_text(single, pair, ids));
  text.add(config.added);
  text.add({unknown, separator, config.token("pad_token", "[PAD]"), start, config.token("mask_token", "[MASK]")});
  text.add(config.additional);
  return text.json();
}

}  // namespace bouquet::tokenizer
