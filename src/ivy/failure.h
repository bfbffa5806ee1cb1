// Errors by who caused them, as absl::Status plus the request's field they are about. Each dialect gives them its own
// shape and status code.
//
//   INVALID_ARGUMENT     the caller's input; its kind tells malformed JSON and empty inputs from the rest
//   OUT_OF_RANGE         too large a body
//   FAILED_PRECONDITION  the model has no such output
//   NOT_FOUND, UNAUTHENTICATED, UNIMPLEMENTED (a method the route has not)
//   RESOURCE_EXHAUSTED   too much load; tulip::retry_after() gives the hint
//   DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE, INTERNAL
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace bouquet::ivy {

enum class InputFault { kInvalid, kMalformed, kEmpty };

absl::Status invalid_input(std::string_view field, std::string_view message);
absl::Status empty_input(std::string_view field, std::string_view message);
absl::Status malformed_input(std::string_view message);
// NOT_FOUND, about the field "model".
absl::Status unknown_model(std::string_view message);

// The field that an error is about; "" when there is none.
std::string field_of(const absl::Status& status);
InputFault fault_of(const absl::Status& status);

// Who is to blame, for the metric: client, overload, replica, timeout, cancelled, internal.
std::string_view cause_of(const absl::Status& status);

// The HTTP status where a dialect has no code of its own.
int http_status_of(const absl::Status& status);

}  // namespace bouquet::ivy
