// Short forms for passing absl::Status up the stack, the one error type that crosses module boundaries.
//
//   ASSIGN_OR_RETURN(Config config, parse_config(text));
//   RETURN_IF_ERROR(check(config));
#pragma once

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace bouquet {

// The same error with what it is about in front: "where: message".
inline absl::Status about(const std::string& where, const absl::Status& status) {
  return {status.code(), where + ": " + std::string(status.message())};
}

}  // namespace bouquet

#define BOUQUET_CONCAT_INNER(a, b) a##b
#define BOUQUET_CONCAT(a, b) BOUQUET_CONCAT_INNER(a, b)

#define RETURN_IF_ERROR(expression)                                         \
  do {                                                                      \
    if (absl::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

#define ASSIGN_OR_RETURN(target, expression) \
  ASSIGN_OR_RETURN_INNER(BOUQUET_CONCAT(status_or_, __LINE__), target, expression)

#define ASSIGN_OR_RETURN_INNER(status_or, target, expression) \
  auto status_or = (expression);                              \
  if (!status_or.ok()) return std::move(status_or).status();  \
  target = *std::move(status_or)
