// A model's JSON config file with typed, named access: a missing or mistyped key is an error that says which.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::rose {

class JsonConfig {
 public:
  static absl::StatusOr<JsonConfig> load(const std::filesystem::path& file);
  static absl::StatusOr<JsonConfig> parse(std::string_view json, std::string name);
  JsonConfig(JsonConfig&&) noexcept;
  ~JsonConfig();

  bool has(std::string_view key) const;      // present and not null
  bool is_null(std::string_view key) const;  // present and null
  absl::StatusOr<int32_t> integer(std::string_view key) const;
  absl::StatusOr<int32_t> integer_or(std::string_view key, int32_t fallback) const;
  // Under either of two names, of which configs have one.
  absl::StatusOr<int32_t> either_integer(std::string_view key, std::string_view other) const;
  absl::StatusOr<double> number_or(std::string_view key, double fallback) const;
  absl::StatusOr<std::string> string_or(std::string_view key, std::string_view fallback) const;
  absl::StatusOr<bool> boolean_or(std::string_view key, bool fallback) const;
  // A string, or a list of strings; empty when absent.
  absl::StatusOr<std::vector<std::string>> strings(std::string_view key) const;
  // An object of strings, in the file's order; empty when absent.
  absl::StatusOr<std::vector<std::pair<std::string, std::string>>> string_map(std::string_view key) const;
  // An object inside; none when absent or empty.
  absl::StatusOr<std::optional<JsonConfig>> object(std::string_view key) const;
  // The elements of a file that is a list of objects.
  absl::StatusOr<std::vector<JsonConfig>> elements() const;

  // Keys of the object that none of the above was called with, but for those whose value is null, false, 0 or empty.
  std::vector<std::string> keys_not_asked_for() const;

  std::string text() const;  // without white space
  const std::string& name() const { return name_; }

 private:
  struct Document;
  JsonConfig(std::unique_ptr<Document> document, std::string name);
  absl::Status wrong(std::string_view key, std::string_view expected) const;
  std::unique_ptr<Document> document_;
  std::string name_;
};

}  // namespace bouquet::rose
