// The listing's JSON, and the choice of files.
#include "cli/hub/repository.h"

#include <algorithm>

#include "base/status.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace bouquet::cli {
namespace {

bool is_safe_path(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string_view::npos ||
      name.find('\0') != std::string_view::npos)
    return false;
  for (size_t start = 0; start <= name.size();) {
    const size_t end = std::min(name.find('/', start), name.size());
    const std::string_view part = name.substr(start, end - start);
    if (part.empty() || part == "." || part == "..") return false;
    start = end + 1;
  }
  return true;
}

bool is_hex(std::string_view text, size_t length) {
  return text.size() == length && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_name_part(std::string_view text) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; };
  return !text.empty() && text != "." && text != ".." && std::all_of(text.begin(), text.end(), allowed);
}

}  // namespace

absl::StatusOr<Repository> parse_repository(std::string_view json) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::array siblings;
  std::string_view commit;
  if (parser.parse(json.data(), json.size()).get(root) || root["sha"].get(commit) || root["siblings"].get(siblings) ||
      !is_hex(commit, 40)) {
    return absl::UnavailableError("the hub's list of files is not what it should be");
  }
  Repository repository{std::string(commit), {}};
  for (simdjson::dom::element sibling : siblings) {
    std::string_view name, text;
    if (sibling["rfilename"].get(name) || !is_safe_path(name))
      return absl::UnavailableError("the hub lists a file without a usable name");
    RepositoryFile file{std::string(name), -1, "", ""};
    if (sibling["size"].get(file.size)) file.size = -1;
    if (!sibling["blobId"].get(text) && is_hex(text, 40)) file.blob = text;
    if (!sibling.at_pointer("/lfs/sha256").get(text) && is_hex(text, 64)) file.sha256 = text;
    repository.files.push_back(std::move(file));
  }
  return repository;
}

bool is_tokenizer_file(std::string_view name) {
  constexpr std::string_view kNames[] = {"tokenizer.json", "vocab.txt", "sentencepiece.bpe.model", "spiece.model",
                                         "tokenizer.model"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool is_needed(std::string_view name, ModelParts parts) {
  const size_t slash = name.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view folder = name.substr(0, slash), rest = name.substr(slash + 1);
    const bool is_module =
        !folder.empty() && std::isdigit(static_cast<unsigned char>(folder[0]));  // 1_Pooling, 2_Dense
    return is_module && rest.find('/') == std::string_view::npos && is_needed(rest, parts);
  }
  if (name.ends_with(".safetensors")) return parts == ModelParts::kAll && name.starts_with("model");
  if (is_tokenizer_file(name)) return true;
  return name.ends_with(".json") && !name.starts_with("data_config") && !name.starts_with("train");
}

absl::StatusOr<HubId> parse_hub_id(std::string_view text) {
  HubId id;
  if (const size_t at = text.find('@'); at != std::string_view::npos) {
    id.revision = text.substr(at + 1);
    text = text.substr(0, at);
    if (id.revision.empty()) return absl::InvalidArgumentError("nothing stands behind the @ of the model's name");
  }
  const size_t slash = text.find('/');
  const bool good = slash == std::string_view::npos
                        ? is_name_part(text)
                        : is_name_part(text.substr(0, slash)) && is_name_part(text.substr(slash + 1));
  if (!good)
    return absl::InvalidArgumentError(fmt::format("\"{}\" is neither a directory nor a hub id (org/name)", text));
  id.id = text;
  return id;
}

}  // namespace bouquet::cli
