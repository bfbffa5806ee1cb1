// Strict reading of JSON bodies, shared by the dialects: what is not exactly right is an error that names the field.
//
//   ASSIGN_OR_RETURN(Document document, Document::parse(body));
//   ASSIGN_OR_RETURN(Fields fields, Fields::of(document.root(), ""));
//   ASSIGN_OR_RETURN(std::optional<bool> truncate, fields.boolean("truncate"));
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "simdjson.h"

namespace bouquet::ivy {

using JsonValue = simdjson::dom::element;

class Document {
 public:
  // An error for everything that is not one JSON value in UTF-8: byte order mark, trailing bytes, lone surrogates...
  static absl::StatusOr<Document> parse(std::string_view body);
  // A value inside another document, which must outlive it.
  static Document inside(JsonValue value);
  JsonValue root() const { return root_; }

  // Whether the root is an object with this key.
  bool has(std::string_view key) const;
  // The text that the root has there; "" where there is none.
  std::string_view text(std::string_view key) const;

 private:
  std::unique_ptr<simdjson::dom::parser> parser_;  // owns the values; null where another document does
  JsonValue root_;
};

// An object's fields. A field that is null counts as absent; fields that nobody asks for are ignored.
class Fields {
 public:
  // `path` is what the object is called in errors; "" for the body. Duplicate keys are an error.
  static absl::StatusOr<Fields> of(JsonValue value, std::string path);

  std::optional<JsonValue> find(std::string_view name) const;
  absl::StatusOr<JsonValue> require(std::string_view name) const;
  std::string path_of(std::string_view name) const;

  absl::StatusOr<std::optional<std::string>> text(std::string_view name) const;
  absl::StatusOr<std::optional<bool>> boolean(std::string_view name) const;
  absl::StatusOr<std::optional<int64_t>> integer(std::string_view name) const;
  absl::StatusOr<std::string> require_text(std::string_view name) const;

 private:
  simdjson::dom::object object_;
  std::string path_;
};

// "a string", "a number", ... for errors.
std::string_view kind_of(JsonValue value);

// An error that says what `field` must be, and what it is.
absl::Status wrong_type(std::string_view field, std::string_view expected, JsonValue found);

}  // namespace bouquet::ivy
