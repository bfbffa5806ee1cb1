// The field and the kind travel as payloads of the status.
#include "ivy/failure.h"

#include "absl/strings/cord.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kFieldPayload = "bouquet.field";
constexpr std::string_view kFaultPayload = "bouquet.fault";

absl::Status with_field(absl::Status status, std::string_view field) {
  if (!field.empty())
    status.SetPayload(absl::string_view(kFieldPayload.data(), kFieldPayload.size()), absl::Cord(std::string(field)));
  return status;
}

absl::Status input_error(std::string_view message) {
  return absl::InvalidArgumentError(absl::string_view(message.data(), message.size()));
}

absl::Status with_fault(absl::Status status, std::string_view fault) {
  status.SetPayload(absl::string_view(kFaultPayload.data(), kFaultPayload.size()), absl::Cord(std::string(fault)));
  return status;
}

}  // namespace

absl::Status invalid_input(std::string_view field, std::string_view message) {
  return with_field(input_error(message), field);
}

absl::Status empty_input(std::string_view field, std::string_view message) {
  return with_fault(with_field(input_error(message), field), "empty");
}

absl::Status malformed_input(std::string_view message) { return with_fault(input_error(message), "malformed"); }

absl::Status unknown_model(std::string_view message) {
  return with_field(absl::NotFoundError(absl::string_view(message.data(), message.size())), "model");
}

std::string field_of(const absl::Status& status) {
  const auto payload = status.GetPayload(absl::string_view(kFieldPayload.data(), kFieldPayload.size()));
  return payload ? std::string(*payload) : std::string();
}

InputFault fault_of(const absl::Status& status) {
  const auto payload = status.GetPayload(absl::string_view(kFaultPayload.data(), kFaultPayload.size()));
  if (!payload) return InputFault::kInvalid;
  return *payload == "empty" ? InputFault::kEmpty : InputFault::kMalformed;
}

std::string_view cause_of(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kResourceExhausted:
      return "overload";
    case absl::StatusCode::kUnavailable:
      return "replica";
    case absl::StatusCode::kDeadlineExceeded:
      return "timeout";
    case absl::StatusCode::kCancelled:
      return "cancelled";
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kUnimplemented:
      return "client";
    default:
      return "internal";
  }
}

int http_status_of(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
      return 400;
    case absl::StatusCode::kUnauthenticated:
      return 401;
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kUnimplemented:
      return 405;
    case absl::StatusCode::kOutOfRange:
      return 413;
    case absl::StatusCode::kResourceExhausted:
      return 429;
    case absl::StatusCode::kCancelled:
      return 499;
    case absl::StatusCode::kUnavailable:
      return 503;
    case absl::StatusCode::kDeadlineExceeded:
      return 504;
    default:
      return 500;
  }
}

}  // namespace bouquet::ivy
