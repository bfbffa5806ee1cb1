// Reads config_sentence_transformers.json and the overriding TOML.
#include "ivy/recipe.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
#include "base/status.h"
#include "ivy/failure.h"
#include "ivy/json_file.h"
#include "ivy/toml_values.h"
#include "simdjson.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kModelFile = "config_sentence_transformers.json";

absl::Status read_prompts(const toml::node& node, Recipe* recipe) {
  if (!node.is_table()) return bad_value("prompts", node, "a table");
  for (const auto& [key, value] : *node.as_table()) {
    std::string& text = recipe->prompts[std::string(key.str())];
    RETURN_IF_ERROR(read_value(absl::StrCat("prompts.", std::string(key.str())), value, &text));
  }
  return absl::OkStatus();
}

absl::Status read_rerank(const toml::node& node, Recipe* recipe) {
  if (!node.is_table()) return bad_value("rerank", node, "a table");
  for (const auto& [key, value] : *node.as_table()) {
    const std::string name = absl::StrCat("rerank.", std::string(key.str()));
    if (key == "query_prefix") {
      RETURN_IF_ERROR(read_value(name, value, &recipe->query_prefix));
    } else if (key == "document_prefix") {
      RETURN_IF_ERROR(read_value(name, value, &recipe->document_prefix));
    } else if (key == "template" || key == "instruction") {
      if (!recipe->rerank_template) recipe->rerank_template.emplace();
      RerankTemplate& form = *recipe->rerank_template;
      RETURN_IF_ERROR(read_value(name, value, key == "template" ? &form.text : &form.instruction));
    } else {
      return unknown_key(name, value);
    }
  }
  return absl::OkStatus();
}

absl::Status read_key(std::string_view key, const toml::node& node, Recipe* recipe) {
  if (key == "prompts") return read_prompts(node, recipe);
  if (key == "rerank") return read_rerank(node, recipe);
  if (key == "default_prompt") return read_value(key, node, &recipe->default_prompt);
  if (key == "max_length") return read_positive(key, node, &recipe->max_length);
  if (key == "truncate") return read_value(key, node, &recipe->truncate);
  if (key == "special_tokens_in_text") {
    return read_word(key, node, "control", "literal", &recipe->literal_special_tokens);
  }
  if (key == "truncation_side") {
    bool left = false;
    RETURN_IF_ERROR(read_word(key, node, "right", "left", &left));
    recipe->truncation_side = left ? tokenizer::TruncationSide::kLeft : tokenizer::TruncationSide::kRight;
    return absl::OkStatus();
  }
  return unknown_key(key, node);
}

std::string names_of(const Recipe& recipe) {
  return absl::StrJoin(recipe.prompts, ", ", [](std::string* out, const auto& prompt) { out->append(prompt.first); });
}

absl::Status check_default_prompt(const Recipe& recipe) {
  if (recipe.default_prompt.empty() || recipe.prompts.contains(recipe.default_prompt)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the default prompt \"", recipe.default_prompt,
                                                 "\" is not among the prompts (",
                                                 recipe.prompts.empty() ? "there are none" : names_of(recipe), ")"));
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

// The token that parts chunks where a model was trained to see them together (pplx-embed-context).
absl::Status read_chunk_separator(const std::filesystem::path& directory, Recipe* recipe) {
  ASSIGN_OR_RETURN(const JsonFile config, JsonFile::read_if_there(directory / "config.json"));
  if (config.text("model_type") != "bidirectional_pplx_qwen3") return absl::OkStatus();
  ASSIGN_OR_RETURN(const JsonFile tokenizer, JsonFile::read_if_there(directory / "tokenizer_config.json"));
  recipe->chunk_separator = tokenizer.text("sep_token");
  return absl::OkStatus();
}

// Static models take a text's own tokens alone; model2vec's leave out those that are not known.
absl::Status read_static_model(const std::filesystem::path& directory, Recipe* recipe) {
  ASSIGN_OR_RETURN(const JsonFile modules, JsonFile::read_if_there(directory / "modules.json"));
  if (modules.raw().find(".StaticEmbedding\"") != std::string::npos) recipe->special_tokens = false;
  ASSIGN_OR_RETURN(const JsonFile config, JsonFile::read_if_there(directory / "config.json"));
  if (config.text("model_type") != "model2vec") return absl::OkStatus();
  recipe->special_tokens = false;
  recipe->max_length = static_cast<int32_t>(config.integer("max_length").value_or(512));
  ASSIGN_OR_RETURN(const JsonFile tokenizer, JsonFile::read_if_there(directory / "tokenizer.json"));
  recipe->dropped_token = tokenizer.text("/model/unk_token");
  return absl::OkStatus();
}

// What files beside config_sentence_transformers.json say.
absl::Status read_other_files(const std::filesystem::path& directory, Recipe* recipe) {
  ASSIGN_OR_RETURN(recipe->rerank_template, find_rerank_template(directory));
  RETURN_IF_ERROR(read_static_model(directory, recipe));
  ASSIGN_OR_RETURN(recipe->late_interaction, read_late_interaction(directory));
  recipe->prompts = recipe->late_interaction.prompts;
  RETURN_IF_ERROR(read_chunk_separator(directory, recipe));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Recipe> read_model_recipe(const std::filesystem::path& model_directory) {
  const std::filesystem::path path = model_directory / kModelFile;
  Recipe recipe;
  RETURN_IF_ERROR(read_other_files(model_directory, &recipe));
  if (!file_exists(path)) return recipe;
  ASSIGN_OR_RETURN(const std::string text, read_file(path));
  if (const absl::Status status = read_model_json(text, &recipe); !status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(path.string(), ": ", std::string(status.message())));
  }
  return recipe;
}

absl::StatusOr<Recipe> override_recipe(Recipe base, std::string_view toml, const std::string& file) {
  ASSIGN_OR_RETURN(const toml::table table, parse_toml(toml, file));
  for (const auto& [key, value] : table) RETURN_IF_ERROR(read_key(key.str(), value, &base));
  absl::Status status = check_default_prompt(base);
  if (status.ok() && base.rerank_template) status = check_rerank_template(base.rerank_template->text);
  if (!status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(file, ": ", std::string(status.message())));
  }
  return base;
}

absl::StatusOr<Recipe> read_recipe(Recipe base, const std::filesystem::path& file) {
  if (file.empty()) return base;
  ASSIGN_OR_RETURN(const std::string text, read_file(file));
  return override_recipe(std::move(base), text, file.string());
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

}  // namespace bouquet::ivy
