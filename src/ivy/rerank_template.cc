// Chat templates read as far as rerankers need them, and the prompts of models that ship none.
#include "ivy/rerank_template.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status.h"
#include "ivy/json_file.h"

namespace bouquet::ivy {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kQuery = "{query}", kDocument = "{document}", kInstruction = "{instruction}";

constexpr std::string_view kQwen3 =
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct "
    "provided. Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n<|im_start|>user\n<Instruct>: "
    "{instruction}\n<Query>: {query}\n<Document>: {document}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n";
constexpr std::string_view kQwen3Instruction =
    "Given a web search query, retrieve relevant passages that answer the query";
constexpr std::string_view kMxbai =
    "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n"
    "<|im_start|>user\nquery: {query}\ndocument: {document}\nYou are a search relevance expert who evaluates how well "
    "documents match search queries. For each query-document pair, carefully analyze the semantic relationship between "
    "them, then provide your binary relevance judgment (0 for not relevant, 1 for relevant).\nRelevance:<|im_end|>\n"
    "<|im_start|>assistant\n";

absl::Status not_understood(std::string_view what) {
  return absl::UnimplementedError(absl::StrCat("the chat template has \"", std::string(what),
                                               "\", which is not understood: give the prompt in a recipe "
                                               "([rerank] template = \"... {query} ... {document} ...\")"));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// The literal that `text` begins with, which ends at its quote; none where it begins with no quote.
std::optional<std::string> leading_literal(std::string_view text, size_t* end) {
  if (text.empty() || (text[0] != '"' && text[0] != '\'')) return std::nullopt;
  std::string literal;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == text[0]) {
      *end = i + 1;
      return literal;
    }
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      literal.push_back(text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i]);
    } else {
      literal.push_back(text[i]);
    }
  }
  return std::nullopt;
}

// The argument of the first `call(` in the expression, where it is a literal.
std::optional<std::string> literal_argument(std::string_view expression, std::string_view call) {
  const size_t at = expression.find(call);
  if (at == std::string_view::npos) return std::nullopt;
  size_t end = 0;
  return leading_literal(trimmed(expression.substr(at + call.size())), &end);
}

// Appends what one {{ }} stands for.
absl::Status add_expression(std::string_view expression, RerankTemplate* out) {
  expression = trimmed(expression);
  size_t end = 0;
  if (auto literal = leading_literal(expression, &end); literal && end == expression.size()) {
    out->text += *literal;
    return absl::OkStatus();
  }
  constexpr std::pair<std::string_view, std::string_view> kRoles[] = {
      {"query", kQuery}, {"document", kDocument}, {"system", kInstruction}};
  for (const auto& [role, place] : kRoles) {
    for (const char quote : {'"', '\''}) {
      const std::string role_is = absl::StrCat("selectattr(", std::string(1, quote), "role", std::string(1, quote),
                                               ", ", std::string(1, quote), "eq", std::string(1, quote), ", ",
                                               std::string(1, quote), std::string(role), std::string(1, quote), ")");
      if (expression.find(role_is) == std::string_view::npos) continue;
      out->text += place;
      if (auto usual = literal_argument(expression, "default(")) out->instruction = *std::move(usual);
      return absl::OkStatus();
    }
  }
  return not_understood(expression);
}

// The template that speaks of queries and documents; "" where there is none: others are for chatting.
absl::StatusOr<std::string> find_chat_template(const fs::path& directory) {
  std::string jinja;
  if (file_exists(directory / "chat_template.jinja")) {
    ASSIGN_OR_RETURN(jinja, read_file(directory / "chat_template.jinja"));
  } else {
    ASSIGN_OR_RETURN(const JsonFile tokenizer, JsonFile::read_if_there(directory / "tokenizer_config.json"));
    jinja = tokenizer.text("chat_template");
  }
  const bool asks = jinja.find("\"document\"") != std::string::npos || jinja.find("'document'") != std::string::npos;
  return asks ? jinja : std::string();
}

// A language model that scores: told by a LogitScore module, or by being nothing but a language model.
absl::StatusOr<bool> is_language_model_reranker(const fs::path& directory) {
  if (file_exists(directory / "modules.json")) {
    ASSIGN_OR_RETURN(const std::string modules, read_file(directory / "modules.json"));
    return modules.find(".LogitScore\"") != std::string::npos;
  }
  ASSIGN_OR_RETURN(const JsonFile config, JsonFile::read_if_there(directory / "config.json"));
  return config.raw().find("ForCausalLM\"") != std::string::npos;
}

}  // namespace

absl::Status check_rerank_template(std::string_view text) {
  const size_t query = text.find(kQuery), document = text.find(kDocument);
  if (query == std::string_view::npos || document == std::string_view::npos || query > document) {
    return absl::InvalidArgumentError("a rerank template needs {query} and, after it, {document}");
  }
  return absl::OkStatus();
}

RerankPrompt render(const RerankTemplate& form, std::string_view instruction, std::string_view query,
                    std::string_view document) {
  RerankPrompt prompt;
  const std::string_view text = form.text;
  const size_t split = text.find(kDocument);
  const std::string_view before = text.substr(0, split);
  size_t at = 0;
  while (at < before.size()) {
    if (before.substr(at).starts_with(kQuery)) {
      prompt.body += query;
      at += kQuery.size();
    } else if (before.substr(at).starts_with(kInstruction)) {
      prompt.body += instruction.empty() ? std::string_view(form.instruction) : instruction;
      at += kInstruction.size();
    } else {
      prompt.body.push_back(before[at++]);
    }
  }
  prompt.body += document;
  prompt.tail = text.substr(split + kDocument.size());
  return prompt;
}

absl::StatusOr<RerankTemplate> parse_chat_template(std::string_view jinja) {
  RerankTemplate form;
  size_t at = 0;
  bool strips = false;  // the expression before takes the white space after it
  while (at < jinja.size()) {
    const size_t open = jinja.find("{{", at);
    std::string_view between = jinja.substr(at, open == std::string_view::npos ? open : open - at);
    const bool next_strips = open != std::string_view::npos && jinja.substr(open).starts_with("{{-");
    if (between.find("{%") != std::string_view::npos) return not_understood("{%");
    if (strips) between.remove_prefix(std::min(between.find_first_not_of(" \t\r\n"), between.size()));
    if (next_strips) between = between.substr(0, between.find_last_not_of(" \t\r\n") + 1);
    form.text += between;
    if (open == std::string_view::npos) break;
    const size_t close = jinja.find("}}", open);
    if (close == std::string_view::npos) return not_understood("{{");
    strips = jinja[close - 1] == '-';
    const size_t from = open + (next_strips ? 3 : 2);
    RETURN_IF_ERROR(add_expression(jinja.substr(from, close - from - (strips ? 1 : 0)), &form));
    at = close + 2;
  }
  if (!strips && jinja.ends_with('\n') && form.text.ends_with('\n')) form.text.pop_back();  // Jinja drops the last one
  RETURN_IF_ERROR(check_rerank_template(form.text));
  return form;
}

absl::StatusOr<std::optional<RerankTemplate>> find_rerank_template(const fs::path& directory) {
  ASSIGN_OR_RETURN(const bool scores, is_language_model_reranker(directory));
  if (!scores) return std::nullopt;
  ASSIGN_OR_RETURN(const std::string jinja, find_chat_template(directory));
  if (!jinja.empty()) {
    ASSIGN_OR_RETURN(RerankTemplate form, parse_chat_template(jinja));
    return form;
  }
  ASSIGN_OR_RETURN(const JsonFile config, JsonFile::read_if_there(directory / "config.json"));
  const std::string type = config.text("model_type");
  if (type == "qwen3") return RerankTemplate{std::string(kQwen3), std::string(kQwen3Instruction)};
  if (type == "qwen2") return RerankTemplate{std::string(kMxbai), ""};
  return not_understood(absl::StrCat("nothing, and how a ", type, " reranker is asked"));
}

}  // namespace bouquet::ivy
