// The name itself goes before its part behind the dot.
#include "ivy/api/prompts.h"

#include <algorithm>

#include "ivy/failure.h"

namespace bouquet::ivy {

absl::StatusOr<std::optional<std::string>> prompt_for(std::string_view field, std::string_view name,
                                                      const Recipe& recipe) {
  const absl::StatusOr<std::string> found = find_prompt(recipe, name);
  if (found.ok()) return std::optional<std::string>(name);
  const size_t dot = name.find('.');
  const std::string_view last = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  if (!last.empty() && find_prompt(recipe, last).ok()) return std::optional<std::string>(last);
  const auto empty = [](const auto& prompt) { return prompt.second.empty(); };
  if (std::all_of(recipe.prompts.begin(), recipe.prompts.end(), empty)) return std::optional<std::string>();
  return invalid_input(field, std::string(found.status().message()));
}

}  // namespace bouquet::ivy
