// The request target, as routes are matched: decoded, with doubled and trailing slashes forgiven.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace bouquet::ivy::http {

struct Target {
  std::string path;   // begins with '/'; no '//' in it, none at its end unless it is "/"
  std::string query;  // as sent, without the '?'
};

// Takes the origin form ("/v1/models?x") and the absolute form ("http://host/v1/models"). %2F becomes '/'.
absl::StatusOr<Target> parse_target(std::string_view target);

}  // namespace bouquet::ivy::http
