// Reads config_sentence_transformers.json and the overriding TOML; holds the recipe in force.
#include "ivy/recipe.h"

#include <fstream>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status.h"
#include "ivy/failure.h"
#include "simdjson.h"
#include "toml++/toml.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kModelFile = "config_sentence_transformers.json";

absl::StatusOr<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) return absl::NotFoundError(absl::StrCat("cannot read ", path.string()));
  return std::move(text).str();
}

absl::Status bad_key(std::string_view key, std::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat("recipe: ", std::string(key), " must be ", std::string(expected)));
}

absl::Status unknown_key(std::string_view key) {
  return absl::InvalidArgumentError(absl::StrCat("recipe: unknown key ", std::string(key)));
}

absl::Status read_string(std::string_view key, const toml::node& node, std::string* out) {
  const auto value = node.value_exact<std::string>();
  if (!value) return bad_key(key, "a string");
  *out = *value;
  return absl::OkStatus();
}

absl::Status read_boolean(std::string_view key, const toml::node& node, bool* out) {
  const auto value = node.value_exact<bool>();
  if (!value) return bad_key(key, "true or false");
  *out = *value;
  return absl::OkStatus();
}

absl::Status read_length(std::string_view key, const toml::node& node, int32_t* out) {
  const auto value = node.value_exact<int64_t>();
  if (!value || *value < 1 || *value > INT32_MAX) return bad_key(key, "a positive whole number");
  *out = static_cast<int32_t>(*value);
  return absl::OkStatus();
}

// One of two words; `out` is whether it was the second.
absl::Status read_word(std::string_view key, const toml::node& node, std::string_view first, std::string_view second,
                       bool* out) {
  const auto value = node.value_exact<std::string>();
  if (!value || (*value != first && *value != second)) {
    return bad_key(key, absl::StrCat("\"", std::string(first), "\" or \"", std::string(second), "\""));
  }
  *out = *value == second;
  return absl::OkStatus();
}

absl::Status read_prompts(const toml::node& node, Recipe* recipe) {
  if (!node.is_table()) return bad_key("prompts", "a table");
  for (const auto& [key, value] : *node.as_table()) {
    std::string& text = recipe->prompts[std::string(key.str())];
    RETURN_IF_ERROR(read_string(absl::StrCat("prompts.", std::string(key.str())), value, &text));
  }
  return absl::OkStatus();
}

absl::Status read_rerank(const toml::node& node, Recipe* recipe) {
  if (!node.is_table()) return bad_key("rerank", "a table");
  for (const auto& [key, value] : *node.as_table()) {
    const std::string name = absl::StrCat("rerank.", std::string(key.str()));
    if (key == "query_prefix") {
      RETURN_IF_ERROR(read_string(name, value, &recipe->query_prefix));
    } else if (key == "document_prefix") {
      RETURN_IF_ERROR(read_string(name, value, &recipe->document_prefix));
    } else {
      return unknown_key(name);
    }
  }
  return absl::OkStatus();
}

absl::Status read_key(std::string_view key, const toml::node& node, Recipe* recipe) {
  if (key == "prompts") return read_prompts(node, recipe);
  if (key == "rerank") return read_rerank(node, recipe);
  if (key == "default_prompt") return read_string(key, node, &recipe->default_prompt);
  if (key == "max_length") return read_length(key, node, &recipe->max_length);
  if (key == "truncate") return read_boolean(key, node, &recipe->truncate);
  if (key == "special_tokens_in_text") {
    return read_word(key, node, "control", "literal", &recipe->literal_special_tokens);
  }
  if (key == "truncation_side") {
    bool left = false;
    RETURN_IF_ERROR(read_word(key, node, "right", "left", &left));
    recipe->truncation_side = left ? tokenizer::TruncationSide::kLeft : tokenizer::TruncationSide::kRight;
    return absl::OkStatus();
  }
  return unknown_key(key);
}

std::string names_of(const Recipe& recipe) {
  return absl::StrJoin(recipe.prompts, ", ", [](std::string* out, const auto& prompt) { out->append(prompt.first); });
}

absl::Status check_default_prompt(const Recipe& recipe) {
  if (recipe.default_prompt.empty() || recipe.prompts.contains(recipe.default_prompt)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the default prompt \"", recipe.default_prompt,
                                                 "\" is not among the prompts (", names_of(recipe), ")"));
}

absl::Status read_model_json(std::string_view text, Recipe* recipe) {
  simdjson::dom::parser parser;
  simdjson::dom::object root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) {
    return absl::InvalidArgumentError("not a JSON object");
  }
  simdjson::dom::object prompts;
  if (root["prompts"].get(prompts) == simdjson::SUCCESS) {
    for (const auto field : prompts) {
      std::string_view prompt;
      if (field.value.get(prompt) != simdjson::SUCCESS) {
        return absl::InvalidArgumentError(absl::StrCat("prompts.", std::string(field.key), " must be a string"));
      }
      recipe->prompts[std::string(field.key)] = std::string(prompt);
    }
  }
  std::string_view name;
  if (root["default_prompt_name"].get(name) == simdjson::SUCCESS) recipe->default_prompt = std::string(name);
  return check_default_prompt(*recipe);
}

std::string_view alias_of(std::string_view name) {
  if (name == "search_query") return "query";
  if (name == "search_document" || name == "passage") return "document";
  return name;
}

}  // namespace

absl::StatusOr<Recipe> read_model_recipe(const std::filesystem::path& model_directory) {
  const std::filesystem::path path = model_directory / kModelFile;
  Recipe recipe;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return recipe;
  ASSIGN_OR_RETURN(const std::string text, read_file(path));
  if (const absl::Status status = read_model_json(text, &recipe); !status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(path.string(), ": ", std::string(status.message())));
  }
  return recipe;
}

absl::StatusOr<Recipe> override_recipe(Recipe base, std::string_view toml) {
  toml::table parsed;
  try {
    parsed = toml::parse(toml);
  } catch (const toml::parse_error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("recipe: line ", error.source().begin.line, ": ", std::string(error.description())));
  }
  for (const auto& [key, value] : parsed) RETURN_IF_ERROR(read_key(key.str(), value, &base));
  RETURN_IF_ERROR(check_default_prompt(base));
  return base;
}

absl::StatusOr<std::string> find_prompt(const Recipe& recipe, std::string_view name) {
  auto found = recipe.prompts.find(name);
  if (found == recipe.prompts.end()) found = recipe.prompts.find(alias_of(name));
  if (found != recipe.prompts.end()) return found->second;
  if (recipe.prompts.empty()) {
    return invalid_input("", absl::StrCat("there is no prompt \"", std::string(name), "\": this model has none"));
  }
  return invalid_input(
      "", absl::StrCat("there is no prompt \"", std::string(name), "\"; this model has: ", names_of(recipe)));
}

RecipeBook::RecipeBook(Recipe model, std::filesystem::path file, int32_t longest_allowed)
    : model_(std::move(model)), file_(std::move(file)), longest_allowed_(longest_allowed) {}

absl::StatusOr<std::unique_ptr<RecipeBook>> RecipeBook::open(Recipe model, std::filesystem::path file,
                                                             int32_t longest_allowed) {
  std::unique_ptr<RecipeBook> book(new RecipeBook(std::move(model), std::move(file), longest_allowed));
  RETURN_IF_ERROR(book->reload());
  return book;
}

absl::StatusOr<Recipe> RecipeBook::build() const {
  Recipe recipe = model_;
  if (!file_.empty()) {
    ASSIGN_OR_RETURN(const std::string text, read_file(file_));
    ASSIGN_OR_RETURN(recipe, override_recipe(model_, text));
  }
  if (longest_allowed_ > 0 && recipe.max_length > longest_allowed_) {
    return absl::InvalidArgumentError(absl::StrCat("recipe: max_length is ", recipe.max_length,
                                                   ", but the model takes ", longest_allowed_, " tokens"));
  }
  return recipe;
}

absl::Status RecipeBook::reload() {
  ASSIGN_OR_RETURN(Recipe recipe, build());
  auto fresh = std::make_shared<const Recipe>(std::move(recipe));
  std::lock_guard lock(mutex_);
  current_ = std::move(fresh);
  return absl::OkStatus();
}

std::shared_ptr<const Recipe> RecipeBook::current() const {
  std::lock_guard lock(mutex_);
  return current_;
}

}  // namespace bouquet::ivy
