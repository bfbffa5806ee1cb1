// `bouquet tokenize`: shows what a text becomes, or what ids mean.
#include <iostream>
#include <memory>

#include "base/json_writer.h"
#include "base/status.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/model_flags.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

struct TokenizeFlags {
  ModelFlags model;
  std::vector<std::string> texts;
  std::string pair;
  std::vector<int32_t> decode;
  std::string format = "table";
  bool special = true;
};

void print_table(const tokenizer::Tokenizer& tokenizer, const tokenizer::Encoding& encoding) {
  std::cout << fmt::format("{:>5} {:>7} {:<24} {:>4} {:>11}\n", "", "id", "token", "type", "bytes");
  for (size_t i = 0; i < encoding.ids.size(); ++i) {
    const tokenizer::Offset offset = encoding.offsets[i];
    std::cout << fmt::format("{:>5} {:>7} {:<24} {:>4} {:>11}\n", i, encoding.ids[i],
                             tokenizer.id_to_token(encoding.ids[i]), encoding.type_ids[i],
                             encoding.special[i] ? "special" : fmt::format("{}-{}", offset.begin, offset.end));
  }
}

void print_json(const tokenizer::Tokenizer& tokenizer, const tokenizer::Encoding& encoding) {
  JsonWriter json;
  json.begin_object().key("ids").begin_array();
  for (int32_t id : encoding.ids) json.number(int64_t{id});
  json.end_array().key("tokens").begin_array();
  for (int32_t id : encoding.ids) json.string(tokenizer.id_to_token(id));
  json.end_array().key("offsets").begin_array();
  for (const tokenizer::Offset& o : encoding.offsets)
    json.begin_array().number(int64_t{o.begin}).number(int64_t{o.end}).end_array();
  json.end_array().key("truncated").boolean(encoding.truncated).end_object();
  std::cout << json.view() << "\n";
}

void print(const TokenizeFlags& f, const tokenizer::Tokenizer& tokenizer, const std::string& text) {
  const tokenizer::EncodeOptions options{.add_special_tokens = f.special, .max_length = f.model.engine.max_length};
  const std::string valid = is_valid_utf8(text) ? text : replace_invalid_utf8(text);
  tokenizer::Encoding encoding;
  if (f.pair.empty()) {
    tokenizer.encode(valid, options, &encoding);
  } else {
    tokenizer.encode_pair(valid, f.pair, options, &encoding);
  }
  if (f.format == "table") return print_table(tokenizer, encoding);
  if (f.format == "json") return print_json(tokenizer, encoding);
  for (size_t i = 0; i < encoding.ids.size(); ++i) std::cout << (i ? " " : "") << encoding.ids[i];
  std::cout << "\n";
}

absl::Status tokenize(const TokenizeFlags& f) {
  ASSIGN_OR_RETURN(const std::filesystem::path directory, find(f.model));
  ASSIGN_OR_RETURN(const std::shared_ptr<const tokenizer::Tokenizer> tokenizer, load_tokenizer(directory));
  if (!f.decode.empty()) {
    std::cout << tokenizer->decode(f.decode, !f.special) << "\n";
    return absl::OkStatus();
  }
  for (const std::string& text : f.texts) print(f, *tokenizer, text);
  if (!f.texts.empty()) return absl::OkStatus();
  for (std::string line; std::getline(std::cin, line);) print(f, *tokenizer, line);
  return absl::OkStatus();
}

}  // namespace

Action add_tokenize(CLI::App& app) {
  CLI::App* c = app.add_subcommand("tokenize", "Show the tokens of texts, or the text of token ids");
  auto flags = std::make_shared<TokenizeFlags>();
  flags->model.add_to(*c);
  c->add_option("-t,--text", flags->texts, "A text; may be repeated. Without any, each line of standard input is one")
      ->allow_extra_args(false);
  c->add_option("--pair", flags->pair, "Second text of a pair, as rerankers read it");
  c->add_option("--decode", flags->decode, "Token ids to turn back into text");
  c->add_option("--format", flags->format, "table, json, or ids")
      ->check(CLI::IsMember({"table", "json", "ids"}))
      ->capture_default_str();
  c->add_flag("--special,!--no-special", flags->special, "With the template's special tokens (default)");
  c->footer("  bouquet tokenize -t 'two kinds of traffic'\n  bouquet tokenize ./my-model --format ids < texts.txt");
  return [flags] { return tokenize(*flags); };
}

}  // namespace bouquet::cli
