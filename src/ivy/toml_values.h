// Typed values out of TOML files; whatever is wrong is told as "FILE:LINE: KEY must be ...".
//
//   ASSIGN_OR_RETURN(const toml::table table, parse_toml(text, "recipe.toml"));
//   for (const auto& [key, node] : table) {
//     if (key == "truncate") RETURN_IF_ERROR(read_value("truncate", node, &truncate));
//   }
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "toml++/toml.h"

namespace bouquet::ivy {

// `file` is what errors call it.
absl::StatusOr<toml::table> parse_toml(std::string_view text, const std::string& file);

// `key` is what errors call the value, tables before it included: "prompts.query".
absl::Status read_value(std::string_view key, const toml::node& node, std::string* out);
absl::Status read_value(std::string_view key, const toml::node& node, bool* out);
absl::Status read_value(std::string_view key, const toml::node& node, std::vector<std::string>* out);
absl::Status read_positive(std::string_view key, const toml::node& node, int32_t* out);
absl::Status read_count(std::string_view key, const toml::node& node, size_t* out);
// A number from 0 to `most`.
absl::Status read_share(std::string_view key, const toml::node& node, double most, double* out);
// One of two words; `out` is whether it was the second.
absl::Status read_word(std::string_view key, const toml::node& node, std::string_view first, std::string_view second,
                       bool* out);

absl::Status bad_value(std::string_view key, const toml::node& node, std::string_view expected);
absl::Status unknown_key(std::string_view key, const toml::node& node);

}  // namespace bouquet::ivy
