// simdjson's DOM, kept with the text it was read from.
#include "ivy/json_file.h"

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status.h"
#include "simdjson.h"

namespace bouquet::ivy {

struct JsonFile::Document {
  simdjson::simdjson_result<simdjson::dom::element> at(std::string_view key) const {
    return key.starts_with('/') ? root.at_pointer(key) : root[key];
  }
  simdjson::dom::parser parser;
  simdjson::dom::element root;
};

JsonFile::JsonFile(std::string raw, std::unique_ptr<Document> document)
    : raw_(std::move(raw)), document_(std::move(document)) {}
JsonFile::JsonFile(JsonFile&&) noexcept = default;
JsonFile::~JsonFile() = default;

absl::StatusOr<JsonFile> JsonFile::read_if_there(const std::filesystem::path& file) {
  std::string raw = "{}";
  if (file_exists(file)) {
    ASSIGN_OR_RETURN(raw, read_file(file));
  }
  auto document = std::make_unique<Document>();
  if (document->parser.parse(raw).get(document->root) != simdjson::SUCCESS) {
    return absl::InvalidArgumentError(absl::StrCat(file.string(), ": not JSON"));
  }
  return JsonFile(std::move(raw), std::move(document));
}

std::string JsonFile::text(std::string_view key) const {
  const auto found = document_->at(key);
  std::string_view value;
  if (found.get(value) == simdjson::SUCCESS || found["content"].get(value) == simdjson::SUCCESS)
    return std::string(value);
  return "";
}

std::optional<int64_t> JsonFile::integer(std::string_view key) const {
  const auto found = document_->at(key);
  int64_t value = 0;
  if (found.get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

std::optional<bool> JsonFile::flag(std::string_view key) const {
  bool value = false;
  if (document_->at(key).get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

std::vector<std::string> JsonFile::texts(std::string_view key) const {
  std::vector<std::string> values;
  simdjson::dom::array list;
  if (document_->at(key).get(list) != simdjson::SUCCESS) return values;
  for (const simdjson::dom::element element : list) {
    std::string_view text;
    if (element.get(text) == simdjson::SUCCESS) values.emplace_back(text);
  }
  return values;
}

bool JsonFile::has(std::string_view key) const {
  simdjson::dom::element value;
  return document_->at(key).get(value) == simdjson::SUCCESS && !value.is_null();
}

}  // namespace bouquet::ivy
