// simdjson's document model, and its errors in words.
#include "ivy/api/json.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

std::string_view reason_of(simdjson::error_code error) {
  switch (error) {
    case simdjson::UTF8_ERROR:
      return "it is not valid UTF-8";
    case simdjson::STRING_ERROR:
      return "a string has a broken escape or a lone surrogate";
    case simdjson::UNESCAPED_CHARS:
      return "a string has a control character that is not escaped";
    case simdjson::UNCLOSED_STRING:
      return "a string is not closed";
    case simdjson::DEPTH_ERROR:
      return "it is nested too deeply";
    case simdjson::NUMBER_ERROR:
      return "a number is malformed or too large";
    case simdjson::TAPE_ERROR:
      return "its structure is broken, or something follows its end";
    default:
      return simdjson::error_message(error);
  }
}

absl::Status check_duplicates(simdjson::dom::object object, const std::string& path) {
  std::vector<std::string_view> keys;
  for (const auto field : object) keys.push_back(field.key);
  std::sort(keys.begin(), keys.end());
  const auto twin = std::adjacent_find(keys.begin(), keys.end());
  if (twin == keys.end()) return absl::OkStatus();
  return malformed_input(absl::StrCat("the key \"", std::string(*twin), "\" stands twice in ",
                                      path.empty() ? std::string("the body") : path));
}

}  // namespace

absl::StatusOr<Document> Document::parse(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) {
    return malformed_input("the body begins with a byte order mark, which JSON does not allow");
  }
  if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return malformed_input("the body is empty; it must be a JSON object");
  }
  Document document;
  document.parser_ = std::make_unique<simdjson::dom::parser>();
  const auto error = document.parser_->parse(body.data(), body.size()).get(document.root_);
  if (error != simdjson::SUCCESS) {
    return malformed_input(absl::StrCat("the body is not valid JSON: ", std::string(reason_of(error))));
  }
  return document;
}

Document Document::inside(JsonValue value) {
  Document document;
  document.root_ = value;
  return document;
}

bool Document::has(std::string_view key) const {
  simdjson::dom::object object;
  if (root_.get(object) != simdjson::SUCCESS) return false;
  return object.at_key(key).error() == simdjson::SUCCESS;
}

std::string_view Document::text(std::string_view key) const {
  std::string_view text;
  return root_.is_object() && root_[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

absl::StatusOr<Fields> Fields::of(JsonValue value, std::string path) {
  Fields fields;
  if (value.get(fields.object_) != simdjson::SUCCESS) {
    return wrong_type(path.empty() ? "the body" : std::string_view(path), "an object", value);
  }
  RETURN_IF_ERROR(check_duplicates(fields.object_, path));
  fields.path_ = std::move(path);
  return fields;
}

std::string Fields::path_of(std::string_view name) const {
  return path_.empty() ? std::string(name) : absl::StrCat(path_, ".", std::string(name));
}

std::optional<JsonValue> Fields::find(std::string_view name) const {
  JsonValue value;
  if (object_.at_key(name).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return value;
}

absl::StatusOr<JsonValue> Fields::require(std::string_view name) const {
  if (const auto value = find(name)) return *value;
  return invalid_input(path_of(name), absl::StrCat("the field \"", path_of(name), "\" is missing"));
}

absl::StatusOr<std::optional<std::string>> Fields::text(std::string_view name) const {
  const auto value = find(name);
  if (!value) return std::optional<std::string>();
  std::string_view text;
  if (value->get(text) != simdjson::SUCCESS) return wrong_type(path_of(name), "a string", *value);
  return std::optional<std::string>(text);
}

absl::StatusOr<std::string> Fields::require_text(std::string_view name) const {
  RETURN_IF_ERROR(require(name).status());
  ASSIGN_OR_RETURN(std::optional<std::string> text, this->text(name));
  return *std::move(text);
}

absl::StatusOr<std::optional<bool>> Fields::boolean(std::string_view name) const {
  const auto value = find(name);
  if (!value) return std::optional<bool>();
  bool flag = false;
  if (value->get(flag) != simdjson::SUCCESS) return wrong_type(path_of(name), "true or false", *value);
  return std::optional<bool>(flag);
}

absl::StatusOr<std::optional<int64_t>> Fields::integer(std::string_view name) const {
  const auto value = find(name);
  if (!value) return std::optional<int64_t>();
  int64_t number = 0;
  if (value->get(number) != simdjson::SUCCESS) return wrong_type(path_of(name), "a whole number", *value);
  return std::optional<int64_t>(number);
}

std::string_view kind_of(JsonValue value) {
  switch (value.type()) {
    case simdjson::dom::element_type::ARRAY:
      return "a list";
    case simdjson::dom::element_type::OBJECT:
      return "an object";
    case simdjson::dom::element_type::INT64:
    case simdjson::dom::element_type::UINT64:
    case simdjson::dom::element_type::DOUBLE:
      return "a number";
    case simdjson::dom::element_type::STRING:
      return "a string";
    case simdjson::dom::element_type::BOOL:
      return "true or false";
    default:
      return "null";
  }
}

absl::Status wrong_type(std::string_view field, std::string_view expected, JsonValue found) {
  std::string what(kind_of(found));
  double number = 0;
  if (found.get(number) == simdjson::SUCCESS) what = simdjson::minify(found);
  return invalid_input(field,
                       absl::StrCat(std::string(field), " must be ", std::string(expected), ", but it is ", what));
}

}  // namespace bouquet::ivy
