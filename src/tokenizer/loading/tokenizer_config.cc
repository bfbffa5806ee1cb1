// Named tokens are a string, or an object with the flags of an added token.
#include "tokenizer/loading/tokenizer_config.h"

#include <charconv>

#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::tokenizer {
namespace {

constexpr std::string_view kFlags[] = {"do_lower_case", "strip_accents", "tokenize_chinese_chars", "keep_accents",
                                       "add_bos_token", "add_eos_token", "add_prefix_space",       "legacy"};
constexpr std::string_view kNamed[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                       "pad_token", "cls_token", "mask_token"};

// A field of a file, for its errors.
struct Place {
  std::string_view file;
  std::string_view field;

  absl::Status error(std::string_view problem) const {
    return absl::InvalidArgumentError(fmt::format("{}: {} {}", file, field, problem));
  }
};

absl::StatusOr<JsonElement> parse(std::string_view text, std::string_view file, simdjson::dom::parser* parser) {
  JsonElement root;
  if (const auto error = parser->parse(text.empty() ? "{}" : text).get(root); error != simdjson::SUCCESS) {
    return Place{file, "the file"}.error(fmt::format("is not JSON: {}", simdjson::error_message(error)));
  }
  if (!root.is_object()) return Place{file, "the file"}.error("is not an object");
  return root;
}

// Nothing where the field is absent or null.
std::optional<JsonElement> find(const JsonElement& object, std::string_view key) {
  JsonElement element;
  if (object[key].get(element) != simdjson::SUCCESS || element.is_null()) return std::nullopt;
  return element;
}

absl::Status read_flag(const JsonElement& object, std::string_view key, const Place& place, bool* flag) {
  const std::optional<JsonElement> element = find(object, key);
  if (element && element->get(*flag) != simdjson::SUCCESS) return place.error("has a flag that is not true or false");
  return absl::OkStatus();
}

absl::StatusOr<AddedToken> read_token(const JsonElement& element, bool special, const Place& place) {
  AddedToken token;
  std::string_view content;
  token.special = special;
  if (element.get(content) == simdjson::SUCCESS) {
    token.content = content;
    token.normalized = !special;
    return token;
  }
  if (!element.is_object() || element["content"].get(content) != simdjson::SUCCESS) {
    return place.error("is not a token");
  }
  token.content = content;
  if (!special) RETURN_IF_ERROR(read_flag(element, "special", place, &token.special));
  token.normalized = !token.special;
  RETURN_IF_ERROR(read_flag(element, "single_word", place, &token.single_word));
  RETURN_IF_ERROR(read_flag(element, "lstrip", place, &token.lstrip));
  RETURN_IF_ERROR(read_flag(element, "rstrip", place, &token.rstrip));
  RETURN_IF_ERROR(read_flag(element, "normalized", place, &token.normalized));
  return token;
}

absl::Status read_named(const JsonElement& root, std::string_view file, TokenizerConfig* config) {
  for (const std::string_view name : kNamed) {
    const std::optional<JsonElement> element = find(root, name);
    if (!element) continue;
    ASSIGN_OR_RETURN(config->named[std::string(name)], read_token(*element, true, {file, name}));
  }
  return absl::OkStatus();
}

absl::Status read_additional(const JsonElement& root, std::string_view file, TokenizerConfig* config) {
  for (const std::string_view name : {"additional_special_tokens", "extra_special_tokens"}) {
    const std::optional<JsonElement> element = find(root, name);
    simdjson::dom::array tokens;
    if (!element || element->get(tokens) != simdjson::SUCCESS) continue;  // an object has names for tokens known else
    for (const JsonElement token_json : tokens) {
      ASSIGN_OR_RETURN(const AddedToken token, read_token(token_json, true, {file, name}));
      config->additional.push_back(token);
    }
  }
  return absl::OkStatus();
}

absl::Status read_decoder(const JsonElement& element, std::string_view file, TokenizerConfig* config) {
  const Place place{file, "added_tokens_decoder"};
  simdjson::dom::object tokens;
  if (element.get(tokens) != simdjson::SUCCESS) return place.error("is not an object");
  std::map<int32_t, AddedToken> by_id;
  for (const auto field : tokens) {
    int32_t id = 0;
    const char* const end = field.key.data() + field.key.size();
    if (const auto [parsed, error] = std::from_chars(field.key.data(), end, id);
        error != std::errc() || parsed != end) {
      return place.error("has a key that is not an id");
    }
    ASSIGN_OR_RETURN(by_id[id], read_token(field.value, false, place));
  }
  for (auto& [id, token] : by_id) config->added.push_back(std::move(token));
  return absl::OkStatus();
}

}  // namespace

bool TokenizerConfig::flag(std::string_view name, bool otherwise) const {
  const auto found = flags.find(name);
  return found == flags.end() ? otherwise : found->second;
}

AddedToken TokenizerConfig::token(std::string_view name, std::string_view content) const {
  if (const auto found = named.find(name); found != named.end()) return found->second;
  AddedToken token;
  token.content = content;
  token.normalized = false;
  token.special = true;
  return token;
}

absl::StatusOr<TokenizerConfig> read_tokenizer_config(std::string_view config, std::string_view special_tokens) {
  constexpr std::string_view kConfig = "tokenizer_config.json", kSpecials = "special_tokens_map.json";
  simdjson::dom::parser parser, special_parser;
  ASSIGN_OR_RETURN(const JsonElement root, parse(config, kConfig, &parser));
  ASSIGN_OR_RETURN(const JsonElement specials, parse(special_tokens, kSpecials, &special_parser));
  TokenizerConfig result;
  if (std::string_view name; root["tokenizer_class"].get(name) == simdjson::SUCCESS) {
    if (name.ends_with("Fast")) name.remove_suffix(4);
    result.tokenizer_class = name;
  }
  for (const std::string_view name : kFlags) {
    const std::optional<JsonElement> element = find(root, name);
    if (!element) continue;
    bool& flag = result.flags[std::string(name)];
    if (element->get(flag) != simdjson::SUCCESS) return Place{kConfig, name}.error("is not true or false");
  }
  if (const std::optional<JsonElement> element = find(root, "extra_ids")) {
    ASSIGN_OR_RETURN(result.extra_ids, json_number(*element, "extra_ids"));
  }
  RETURN_IF_ERROR(read_named(root, kConfig, &result));
  if (const std::optional<JsonElement> decoder = find(root, "added_tokens_decoder")) {
    RETURN_IF_ERROR(read_decoder(*decoder, kConfig, &result));
  } else {
    RETURN_IF_ERROR(read_named(specials, kSpecials, &result));
    RETURN_IF_ERROR(read_additional(specials, kSpecials, &result));
  }
  RETURN_IF_ERROR(read_additional(root, kConfig, &result));
  return result;
}

}  // namespace bouquet::tokenizer
