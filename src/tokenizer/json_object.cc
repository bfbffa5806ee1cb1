// Thin wrappers over simdjson's error codes.
#include "tokenizer/json_object.h"

#include <limits>

#include "base/status.h"
#include "tokenizer/strings.h"

namespace bouquet::tokenizer {

absl::Status json_error(std::string_view place, std::string_view problem) {
  return absl::InvalidArgumentError(
      concat({"tokenizer.json: ", place.empty() ? std::string_view("the file") : place, " ", problem}));
}

absl::StatusOr<JsonObject> JsonObject::of(const JsonElement& element, std::string place) {
  simdjson::dom::object object;
  if (element.get(object) != simdjson::SUCCESS) return json_error(place, "is not an object");
  return JsonObject(object, std::move(place));
}

std::string JsonObject::place_of(std::string_view key) const {
  return place_.empty() ? std::string(key) : concat({place_, ".", key});
}

std::optional<JsonElement> JsonObject::find(std::string_view key) const {
  JsonElement element;
  if (object_.at_key(key).get(element) != simdjson::SUCCESS || element.is_null()) return std::nullopt;
  return element;
}

absl::StatusOr<JsonElement> JsonObject::get(std::string_view key) const {
  const std::optional<JsonElement> element = find(key);
  if (!element) return json_error(place_of(key), "is missing");
  return *element;
}

absl::StatusOr<JsonObject> JsonObject::object(std::string_view key) const {
  ASSIGN_OR_RETURN(const JsonElement element, get(key));
  return of(element, place_of(key));
}

absl::StatusOr<simdjson::dom::array> JsonObject::array(std::string_view key) const {
  ASSIGN_OR_RETURN(const JsonElement element, get(key));
  simdjson::dom::array array;
  if (element.get(array) != simdjson::SUCCESS) return json_error(place_of(key), "is not an array");
  return array;
}

absl::StatusOr<std::string_view> JsonObject::text(std::string_view key) const {
  ASSIGN_OR_RETURN(const JsonElement element, get(key));
  std::string_view text;
  if (element.get(text) != simdjson::SUCCESS) return json_error(place_of(key), "is not a string");
  return text;
}

absl::StatusOr<bool> JsonObject::flag(std::string_view key) const {
  ASSIGN_OR_RETURN(const JsonElement element, get(key));
  bool flag = false;
  if (element.get(flag) != simdjson::SUCCESS) return json_error(place_of(key), "is not true or false");
  return flag;
}

absl::StatusOr<bool> JsonObject::flag_or(std::string_view key, bool otherwise) const {
  return find(key) ? flag(key) : otherwise;
}

absl::StatusOr<int32_t> JsonObject::number(std::string_view key) const {
  ASSIGN_OR_RETURN(const JsonElement element, get(key));
  return json_number(element, place_of(key));
}

absl::StatusOr<int32_t> json_number(const JsonElement& element, std::string_view place) {
  uint64_t number = 0;
  if (element.get(number) != simdjson::SUCCESS || number >= std::numeric_limits<int32_t>::max()) {
    return json_error(place, "is not a whole number below 2147483647");
  }
  return static_cast<int32_t>(number);
}

}  // namespace bouquet::tokenizer
