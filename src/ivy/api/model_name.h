// The `model` field of a request: one of our names, alone or with a prompt's name behind a colon.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "ivy/gateway.h"

namespace bouquet::ivy {

// "MODEL" or "" -> nothing; "MODEL:query" -> "query". NOT_FOUND for other models, unless `any` lets every name pass.
// The part of our name after its last '/' is a name too.
absl::StatusOr<std::optional<std::string>> prompt_in_model_name(std::string_view name, const ModelInfo& model,
                                                                const Recipe& recipe, bool any);

}  // namespace bouquet::ivy
