// Environment and TOML into CLI11's options.
#include "cli/settings.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "fmt/format.h"
#include "toml++/toml.h"

namespace bouquet::cli {
namespace {

bool is_setting(const CLI::Option& option) {
  const auto& names = option.get_lnames();
  return !names.empty() && names[0] != "help" && names[0] != "config" && names[0] != "version";
}

absl::Status set(CLI::Option& option, const std::vector<std::string>& values, const std::string& origin) {
  try {
    for (const std::string& value : values) option.add_result(value);
    option.run_callback();
  } catch (const CLI::Error& error) {
    return absl::InvalidArgumentError(fmt::format("{}: {}", origin, error.what()));
  }
  return absl::OkStatus();
}

bool takes_many(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

absl::StatusOr<std::vector<std::string>> toml_values(const toml::node& node) {
  if (const auto* list = node.as_array()) {
    std::vector<std::string> values;
    for (const toml::node& element : *list) {
      ASSIGN_OR_RETURN(const std::vector<std::string> one, toml_values(element));
      values.insert(values.end(), one.begin(), one.end());
    }
    return values;
  }
  if (const auto text = node.value_exact<std::string>()) return std::vector<std::string>{*text};
  if (const auto flag = node.value_exact<bool>()) return std::vector<std::string>{*flag ? "true" : "false"};
  if (const auto whole = node.value_exact<int64_t>()) return std::vector<std::string>{std::to_string(*whole)};
  if (const auto number = node.value_exact<double>()) return std::vector<std::string>{fmt::format("{}", *number)};
  return absl::InvalidArgumentError("not a string, number, boolean or list of those");
}

absl::StatusOr<toml::table> read_toml(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const std::string text, read_file(file));
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    return absl::InvalidArgumentError(
        fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
}

CLI::Option* find_option(CLI::App& command, std::string_view key) {
  for (CLI::Option* option : command.get_options()) {
    if (is_setting(*option) && option->get_lnames()[0] == key) return option;
  }
  return nullptr;
}

}  // namespace

std::string environment_name(const std::string& flag) {
  std::string name = "BOUQUET_";
  for (char c : flag.substr(flag.find_first_not_of('-')))
    name.push_back(c == '-' ? '_' : static_cast<char>(std::toupper(c)));
  return name;
}

absl::Status apply_settings(CLI::App& command, const std::filesystem::path& file) {
  for (CLI::Option* option : command.get_options()) {
    if (!is_setting(*option) || option->count() > 0) continue;
    const std::string variable = environment_name(option->get_lnames()[0]);
    const char* value = std::getenv(variable.c_str());
    if (!value || !*value) continue;
    RETURN_IF_ERROR(
        set(*option, takes_many(*option) ? split_at_commas(value) : std::vector<std::string>{value}, variable));
  }
  if (file.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const toml::table table, read_toml(file));
  for (const auto& [key, node] : table) {
    const std::string origin = fmt::format("{}: {}", file.string(), key.str());
    CLI::Option* option = find_option(command, key.str());
    if (!option) return absl::InvalidArgumentError(fmt::format("{}: there is no such setting", origin));
    if (option->count() > 0) continue;
    const auto values = toml_values(node);
    if (!values.ok())
      return absl::InvalidArgumentError(fmt::format("{}: {}", origin, std::string(values.status().message())));
    RETURN_IF_ERROR(set(*option, *values, origin));
  }
  return absl::OkStatus();
}

}  // namespace bouquet::cli
