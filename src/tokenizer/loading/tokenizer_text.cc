// Ids of added tokens are written as 0: the loader gives them as `tokenizers` does.
#include "tokenizer/loading/tokenizer_text.h"

#include <algorithm>
#include <set>

#include "base/status.h"
#include "fmt/format.h"
#include "tokenizer/loading/json_text.h"

namespace bouquet::tokenizer {
namespace {

std::vector<TemplateWord> words_of(std::string_view text) {
  std::vector<TemplateWord> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    TemplateWord word{text.substr(0, end)};
    if (word.name.size() > 2 && word.name[word.name.size() - 2] == ':') {
      word.type = word.name.back();
      word.name.remove_suffix(2);
    }
    word.is_text = word.name == "A" || word.name == "B";
    words.push_back(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::string pieces_text(const std::vector<TemplateWord>& words) {
  std::string result;
  for (const TemplateWord& word : words) {
    result += fmt::format(R"({}{{"{}":{{"id":{},"type_id":{}}}}})", result.empty() ? "" : ",",
                          word.is_text ? "Sequence" : "SpecialToken", json_quoted(word.name), word.type);
  }
  return result;
}

}  // namespace

void TokenizerText::add(const std::vector<AddedToken>& tokens) {
  for (const AddedToken& token : tokens) {
    const auto same = [&](const AddedToken& other) { return other.content == token.content; };
    if (std::none_of(added.begin(), added.end(), same)) added.push_back(token);
  }
}

std::string TokenizerText::json() const {
  std::string tokens;
  for (const AddedToken& token : added) {
    tokens += fmt::format(
        R"({}{{"id":0,"content":{},"single_word":{},"lstrip":{},"rstrip":{},"normalized":{},"special":{}}})",
        tokens.empty() ? "" : ",", json_quoted(token.content), token.single_word, token.lstrip, token.rstrip,
        token.normalized, token.special);
  }
  return fmt::format(
      R"({{"added_tokens":[{}],"normalizer":{},"pre_tokenizer":{},"post_processor":{},"decoder":{},"model":{}}})",
      tokens, normalizer, pre_tokenizer, post_processor, decoder, model);
}

absl::StatusOr<std::string> template_text(const std::vector<TemplateWord>& single,
                                          const std::vector<TemplateWord>& pair,
                                          const std::map<std::string, int32_t, std::less<>>& ids) {
  std::set<std::string_view> tokens;
  for (const auto* words : {&single, &pair}) {
    for (const TemplateWord& word : *words) {
      if (!word.is_text) tokens.insert(word.name);
    }
  }
  std::string specials;
  for (const std::string_view token : tokens) {
    const auto found = ids.find(token);
    if (found == ids.end()) return absl::InvalidArgumentError(fmt::format("the vocabulary lacks {}", token));
    const std::string quoted = json_quoted(token);
    specials += fmt::format(R"({}{}:{{"id":{},"ids":[{}],"tokens":[{}]}})", specials.empty() ? "" : ",", quoted, quoted,
                            found->second, quoted);
  }
  return fmt::format(R"({{"type":"TemplateProcessing","single":[{}],"pair":[{}],"special_tokens":{{{}}}}})",
                     pieces_text(single), pieces_text(pair), specials);
}

absl::StatusOr<std::string> template_text(std::string_view single, std::string_view pair,
                                          const std::map<std::string, int32_t, std::less<>>& ids) {
  return template_text(words_of(single), words_of(pair), ids);
}

}  // namespace bouquet::tokenizer
