// A JSON file of a model's, of which a few values are wanted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::ivy {

class JsonFile {
 public:
  // As an empty object where there is no such file. INVALID_ARGUMENT names a file that is no JSON.
  static absl::StatusOr<JsonFile> read_if_there(const std::filesystem::path& file);
  JsonFile(JsonFile&&) noexcept;
  ~JsonFile();

  // By key, or by JSON pointer ("/model/unk_token"). "" and none where it is missing or of another type; an added token
  // as an object counts as its content.
  std::string text(std::string_view key) const;
  std::optional<int64_t> integer(std::string_view key) const;
  std::optional<bool> flag(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;  // the strings of a list
  bool has(std::string_view key) const;                        // present and not null
  const std::string& raw() const { return raw_; }

 private:
  struct Document;
  JsonFile(std::string raw, std::unique_ptr<Document> document);
  std::string raw_;
  std::unique_ptr<Document> document_;
};

}  // namespace bouquet::ivy
