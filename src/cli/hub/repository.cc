// The listing's JSON, and the choice of files.
#include "cli/hub/repository.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

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

// Folder and name; the folder is empty for a file that lies in none.
std::pair<std::string_view, std::string_view> split_path(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {"", path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

// 1_Pooling, 2_Dense.
bool is_module_folder(std::string_view folder) {
  return std::isdigit(static_cast<unsigned char>(folder[0])) && folder.find('/') == std::string_view::npos;
}

bool is_weights_file(std::string_view name, bool folder_has_safetensors) {
  if (name == "sparse_linear.pt" || name == "colbert_linear.pt") return true;  // the heads of BGE-M3
  if (name.ends_with(".safetensors")) return name.starts_with("model");
  const bool pickled = name == "pytorch_model.bin" || (name.starts_with("pytorch_model-") && name.ends_with(".bin"));
  return pickled && !folder_has_safetensors;
}

bool is_config_file(std::string_view name) {
  return name.ends_with(".json") && !name.starts_with("data_config") && !name.starts_with("train");
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
  constexpr std::string_view kNames[] = {"tokenizer.json", "vocab.txt",       "sentencepiece.bpe.model",
                                         "spiece.model",   "tokenizer.model", "vocab.json",
                                         "merges.txt"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::vector<RepositoryFile> needed_files(const std::vector<RepositoryFile>& files, ModelParts parts) {
  std::set<std::string_view> safe_folders;  // those with safetensors
  for (const RepositoryFile& file : files) {
    const auto [folder, name] = split_path(file.name);
    if (name == "model.safetensors" || name == "model.safetensors.index.json") safe_folders.insert(folder);
  }
  std::vector<RepositoryFile> needed;
  for (const RepositoryFile& file : files) {
    const auto [folder, name] = split_path(file.name);
    if (!folder.empty() && !is_module_folder(folder)) continue;
    const bool weights = parts == ModelParts::kAll && is_weights_file(name, safe_folders.contains(folder));
    if (weights || is_tokenizer_file(name) || is_config_file(name)) needed.push_back(file);
  }
  return needed;
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
