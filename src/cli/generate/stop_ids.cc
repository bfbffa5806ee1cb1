// The first of the two files that names any.
#include "cli/generate/stop_ids.h"

#include "base/file.h"
#include "base/status.h"
#include "cli/gguf/tokenizer.h"
#include "fmt/format.h"
#include "rose/models/gguf_model.h"
#include "simdjson.h"

namespace bouquet::cli {
namespace {

absl::StatusOr<std::vector<int32_t>> read_from(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const std::string text, read_file(file));
  simdjson::dom::parser parser;
  simdjson::dom::element root, value;
  if (parser.parse(text).get(root)) return absl::InvalidArgumentError(fmt::format("{}: no JSON", file.string()));
  if (root["eos_token_id"].get(value) || value.is_null()) return std::vector<int32_t>();
  const absl::Status wrong =
      absl::InvalidArgumentError(fmt::format("{}: eos_token_id is no id, nor a list of ids", file.string()));
  std::vector<int32_t> ids;
  const auto add = [&](simdjson::dom::element element) {
    int64_t id = 0;
    if (element.get(id) || id < 0 || id > INT32_MAX) return false;
    ids.push_back(static_cast<int32_t>(id));
    return true;
  };
  simdjson::dom::array list;
  if (value.get(list)) {
    if (!add(value)) return wrong;
    return ids;
  }
  for (const simdjson::dom::element element : list) {
    if (!add(element)) return wrong;
  }
  return ids;
}

}  // namespace

absl::StatusOr<std::vector<int32_t>> read_stop_ids(const std::filesystem::path& directory) {
  if (rose::is_gguf_path(directory)) return read_gguf_stop_ids(directory);
  for (const char* name : {"generation_config.json", "config.json"}) {
    if (!file_exists(directory / name)) continue;
    ASSIGN_OR_RETURN(std::vector<int32_t> ids, read_from(directory / name));
    if (!ids.empty()) return ids;
  }
  return std::vector<int32_t>();
}

}  // namespace bouquet::cli
