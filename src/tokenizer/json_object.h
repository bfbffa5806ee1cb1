// Reads fields of a tokenizer.json with errors that name the place: "tokenizer.json: model.vocab is missing".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "simdjson.h"

namespace bouquet::tokenizer {

using JsonElement = simdjson::dom::element;

absl::Status json_error(std::string_view place, std::string_view problem);  // INVALID_ARGUMENT

class JsonObject {
 public:
  // `place` is the path from the file's root, "" for the root itself.
  static absl::StatusOr<JsonObject> of(const JsonElement& element, std::string place);

  const std::string& place() const { return place_; }
  std::string place_of(std::string_view key) const;
  auto begin() const { return object_.begin(); }
  auto end() const { return object_.end(); }

  std::optional<JsonElement> find(std::string_view key) const;  // null counts as absent
  absl::StatusOr<JsonElement> get(std::string_view key) const;
  absl::StatusOr<JsonObject> object(std::string_view key) const;
  absl::StatusOr<simdjson::dom::array> array(std::string_view key) const;
  absl::StatusOr<std::string_view> text(std::string_view key) const;
  absl::StatusOr<bool> flag(std::string_view key) const;
  absl::StatusOr<bool> flag_or(std::string_view key, bool otherwise) const;  // `otherwise` where it is absent
  absl::StatusOr<int32_t> number(std::string_view key) const;                // as json_number

 private:
  JsonObject(simdjson::dom::object object, std::string place) : object_(object), place_(std::move(place)) {}

  simdjson::dom::object object_;
  std::string place_;
};

// An id or a count: a whole number in 0 .. 2^31 - 2.
absl::StatusOr<int32_t> json_number(const JsonElement& element, std::string_view place);

}  // namespace bouquet::tokenizer
