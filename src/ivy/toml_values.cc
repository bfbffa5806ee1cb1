// One function a type.
#include "ivy/toml_values.h"

#include "fmt/format.h"

namespace bouquet::ivy {
namespace {

std::string place_of(const toml::source_region& source) {
  return fmt::format("{}:{}", source.path ? *source.path : "", source.begin.line);
}

}  // namespace

absl::StatusOr<toml::table> parse_toml(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    return absl::InvalidArgumentError(fmt::format("{}: {}", place_of(error.source()), error.description()));
  }
}

absl::Status bad_value(std::string_view key, const toml::node& node, std::string_view expected) {
  return absl::InvalidArgumentError(fmt::format("{}: {} must be {}", place_of(node.source()), key, expected));
}

absl::Status unknown_key(std::string_view key, const toml::node& node) {
  return absl::InvalidArgumentError(fmt::format("{}: unknown key {}", place_of(node.source()), key));
}

absl::Status read_value(std::string_view key, const toml::node& node, std::string* out) {
  const auto value = node.value_exact<std::string>();
  if (!value) return bad_value(key, node, "a string");
  *out = *value;
  return absl::OkStatus();
}

absl::Status read_value(std::string_view key, const toml::node& node, bool* out) {
  const auto value = node.value_exact<bool>();
  if (!value) return bad_value(key, node, "true or false");
  *out = *value;
  return absl::OkStatus();
}

absl::Status read_value(std::string_view key, const toml::node& node, std::vector<std::string>* out) {
  if (!node.is_array()) return bad_value(key, node, "a list of strings");
  for (const toml::node& element : *node.as_array()) {
    const auto value = element.value_exact<std::string>();
    if (!value) return bad_value(key, element, "a list of strings");
    out->push_back(*value);
  }
  return absl::OkStatus();
}

absl::Status read_positive(std::string_view key, const toml::node& node, int32_t* out) {
  const auto value = node.value_exact<int64_t>();
  if (!value || *value < 1 || *value > INT32_MAX) return bad_value(key, node, "a positive whole number");
  *out = static_cast<int32_t>(*value);
  return absl::OkStatus();
}

absl::Status read_count(std::string_view key, const toml::node& node, size_t* out) {
  const auto value = node.value_exact<int64_t>();
  if (!value || *value < 0 || *value > INT32_MAX) return bad_value(key, node, "a whole number, at least 0");
  *out = static_cast<size_t>(*value);
  return absl::OkStatus();
}

absl::Status read_share(std::string_view key, const toml::node& node, double most, double* out) {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !(*value >= 0 && *value <= most)) return bad_value(key, node, fmt::format("from 0 to {}", most));
  *out = *value;
  return absl::OkStatus();
}

absl::Status read_word(std::string_view key, const toml::node& node, std::string_view first, std::string_view second,
                       bool* out) {
  const auto value = node.value_exact<std::string>();
  if (!value || (*value != first && *value != second)) {
    return bad_value(key, node, fmt::format("\"{}\" or \"{}\"", first, second));
  }
  *out = *value == second;
  return absl::OkStatus();
}

}  // namespace bouquet::ivy
