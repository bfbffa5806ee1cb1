// One table a model, one function for what each of its keys means.
#include "ivy/model_spec.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "absl/strings/ascii.h"
#include "base/file.h"
#include "base/status.h"
#include "fmt/format.h"
#include "ivy/fleet/upstreams.h"
#include "ivy/toml_values.h"

namespace bouquet::ivy {
namespace {

constexpr double kMostHedged = 0.05;

// One model as it is being read.
struct Reading {
  std::filesystem::path folder;
  ModelSpec spec;
  bool is_default = false;
};

absl::Status read_path(std::string_view key, const toml::node& node, const Reading& reading,
                       std::filesystem::path* out) {
  std::string text;
  RETURN_IF_ERROR(read_value(key, node, &text));
  *out = text.empty() ? std::filesystem::path() : reading.folder / text;
  return absl::OkStatus();
}

absl::Status read_security(std::string_view key, const toml::node& node, Reading* reading) {
  UpstreamSecurity& security = reading->spec.security;
  if (key == "upstream_name") return read_value(key, node, &security.name);
  if (key == "upstream_cert") return read_path(key, node, *reading, &security.certificate);
  if (key == "upstream_key") return read_path(key, node, *reading, &security.key);
  if (key != "upstream_ca") return unknown_key(key, node);
  if (node.value_exact<std::string>() != "system") return read_path(key, node, *reading, &security.authority);
  security.authority = "system";
  return absl::OkStatus();
}

absl::Status read_key(std::string_view key, const toml::node& node, Reading* reading) {
  ModelSpec& spec = reading->spec;
  if (key == "model") return read_value(key, node, &spec.model);
  if (key == "revision") return read_value(key, node, &spec.revision);
  if (key == "name") return read_value(key, node, &spec.name);
  if (key == "aliases") return read_value(key, node, &spec.aliases);
  if (key == "default") return read_value(key, node, &reading->is_default);
  if (key == "upstreams") return read_value(key, node, &spec.upstreams);
  if (key == "upstreams_file") return read_path(key, node, *reading, &spec.upstreams_file);
  if (key == "retry_share") return read_share(key, node, 1, &spec.retry_share);
  if (key == "hedge_share") return read_share(key, node, kMostHedged, &spec.hedge_share);
  if (key == "recipe") return read_path(key, node, *reading, &spec.recipe);
  if (key == "truncate") return read_value(key, node, &spec.truncate);
  if (key == "raw_token_ids") return read_value(key, node, &spec.raw_token_ids);
  if (key == "result_cache_mb") return read_count(key, node, &spec.result_cache_mb);
  if (key == "special_tokens_in_text") return read_word(key, node, "control", "literal", &spec.literal_special_tokens);
  return read_security(key, node, reading);
}

absl::Status missing(const toml::node& node, std::string_view key) { return bad_value(key, node, "given"); }

// Errors name the model by what is known of it by then.
absl::StatusOr<Reading> read_model(const toml::table& table, const std::filesystem::path& folder) {
  Reading reading{folder, {}, false};
  ModelSpec& spec = reading.spec;
  const auto read_all = [&]() -> absl::Status {
    for (const auto& [key, node] : table) RETURN_IF_ERROR(read_key(key.str(), node, &reading));
    if (spec.model.empty()) return missing(table, "model");
    if (spec.upstreams.empty() && spec.upstreams_file.empty()) return missing(table, "upstreams or upstreams_file");
    return absl::OkStatus();
  };
  if (const absl::Status status = read_all(); !status.ok()) {
    const std::string name = table["name"].value_or(table["model"].value_or(std::string("?")));
    return absl::InvalidArgumentError(fmt::format("{} (of the model {})", std::string(status.message()), name));
  }
  if (spec.name.empty()) spec.name = spec.model;
  return reading;
}

absl::Status check_security(const UpstreamSecurity& security) {
  if (security.name.empty() || !security.authority.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "a name that upstreams' certificates must have (upstream-name) needs TLS: say who signed them (upstream-ca)");
}

absl::Status check_name(const std::string& upstream, const UpstreamSecurity& security) {
  if (!dns_name(upstream) || security.authority.empty() || !security.name.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("the upstream {} stands for addresses, which certificates rarely hold: say which name they do hold "
                  "(upstream-name)",
                  upstream));
}

// Errors name the line.
absl::Status append_lines(const std::filesystem::path& file, std::vector<std::string>* out) {
  ASSIGN_OR_RETURN(std::string text, read_file(file));
  std::stringstream lines(std::move(text));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = std::string(absl::StripAsciiWhitespace(line.substr(0, line.find('#'))));
    if (line.empty()) continue;
    if (const absl::Status status = check_upstream(line); !status.ok()) {
      return absl::InvalidArgumentError(fmt::format("{}:{}: {}", file.string(), number, std::string(status.message())));
    }
    out->push_back(std::move(line));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<ModelSpec>> parse_models(std::string_view toml, const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const toml::table root, parse_toml(toml, file.string()));
  for (const auto& [key, node] : root) {
    if (key != "model") return unknown_key(key.str(), node);
  }
  const toml::array* tables = root["model"].as_array();
  if (tables == nullptr || tables->empty() || !tables->is_homogeneous(toml::node_type::table)) {
    return absl::InvalidArgumentError(fmt::format("{}: there is no [[model]]", file.string()));
  }
  std::vector<ModelSpec> specs;
  std::string default_name;
  for (const toml::node& table : *tables) {
    ASSIGN_OR_RETURN(Reading reading, read_model(*table.as_table(), file.parent_path()));
    if (reading.is_default && !default_name.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("{}: both {} and {} are the default", file.string(), default_name, reading.spec.name));
    }
    if (reading.is_default) default_name = reading.spec.name;
    specs.insert(reading.is_default ? specs.begin() : specs.end(), std::move(reading.spec));
  }
  return specs;
}

absl::StatusOr<std::vector<std::string>> read_upstreams(const ModelSpec& spec) {
  RETURN_IF_ERROR(check_security(spec.security));
  std::vector<std::string> upstreams = spec.upstreams;
  for (const std::string& upstream : upstreams) RETURN_IF_ERROR(check_upstream(upstream));
  if (!spec.upstreams_file.empty()) RETURN_IF_ERROR(append_lines(spec.upstreams_file, &upstreams));
  if (upstreams.empty()) {
    return absl::InvalidArgumentError(spec.upstreams_file.empty()
                                          ? "no upstream: name at least one (upstream, upstreams-file)"
                                          : fmt::format("{} names no upstream", spec.upstreams_file.string()));
  }
  for (const std::string& upstream : upstreams) RETURN_IF_ERROR(check_name(upstream, spec.security));
  return upstreams;
}

absl::StatusOr<Recipe> read_recipe(const ModelSpec& spec, Recipe own) {
  own.truncate = spec.truncate;
  own.literal_special_tokens = spec.literal_special_tokens;
  return read_recipe(std::move(own), spec.recipe);
}

std::vector<std::filesystem::path> files_of(const ModelSpec& spec) {
  const UpstreamSecurity& security = spec.security;
  std::vector<std::filesystem::path> files = {spec.recipe, spec.upstreams_file, security.certificate, security.key};
  if (security.authority != "system") files.push_back(security.authority);
  std::erase_if(files, [](const std::filesystem::path& file) { return file.empty(); });
  return files;
}

}  // namespace bouquet::ivy
