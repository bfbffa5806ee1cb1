// Compares whole names first, so that a colon may be part of one.
#include "ivy/api/model_name.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

std::vector<std::string_view> names_of(const ModelInfo& model) {
  std::vector<std::string_view> names = {model.name};
  for (const std::string& alias : model.aliases) names.push_back(alias);
  const size_t slash = model.name.rfind('/');
  if (slash != std::string::npos) names.push_back(std::string_view(model.name).substr(slash + 1));
  return names;
}

}  // namespace

absl::StatusOr<std::optional<std::string>> prompt_in_model_name(std::string_view name, const ModelInfo& model,
                                                                const Recipe& recipe, bool any) {
  if (name.empty()) return std::optional<std::string>();
  for (const std::string_view ours : names_of(model)) {
    if (name == ours) return std::optional<std::string>();
  }
  for (const std::string_view ours : names_of(model)) {
    if (!name.starts_with(ours) || name.substr(ours.size()).substr(0, 1) != ":") continue;
    std::string prompt(name.substr(ours.size() + 1));
    if (recipe.prompts.contains(prompt)) return prompt;
  }
  if (any) return std::optional<std::string>();
  return absl::NotFoundError(
      absl::StrCat("the model \"", std::string(name), "\" does not exist here; this server has \"", model.name, "\""));
}

}  // namespace bouquet::ivy
