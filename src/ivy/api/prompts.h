// The prompt that a dialect's name for the kind of input means.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "ivy/recipe.h"

namespace bouquet::ivy {

// `name`, the value of the request's `field`, as a prompt_name. A model without prompts treats all kinds of input
// alike: there it is unset. "retrieval.query" and the like also go by what stands behind the dot. A prompt that the
// model does not have is an error that lists those that it has.
absl::StatusOr<std::optional<std::string>> prompt_for(std::string_view field, std::string_view name,
                                                      const Recipe& recipe);

}  // namespace bouquet::ivy
