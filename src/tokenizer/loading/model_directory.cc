// tokenizer_config.json and special_tokens_map.json are looked for beside the file.
#include "tokenizer/loading/model_directory.h"

#include "base/file.h"
#include "base/status.h"
#include "tokenizer/loading/bert_vocabulary.h"
#include "tokenizer/loading/bpe_vocabulary.h"
#include "tokenizer/loading/sentencepiece_conversion.h"
#include "tokenizer/loading/sentencepiece_file.h"
#include "tokenizer/loading/tokenizer_config.h"

namespace bouquet::tokenizer {
namespace {

constexpr std::string_view kJson = "tokenizer.json", kVocabulary = "vocab.txt", kXlmRoberta = "sentencepiece.bpe.model";
constexpr std::string_view kPairs = "vocab.json", kMerges = "merges.txt";  // of no use without each other
constexpr std::string_view kFiles[] = {kJson, kVocabulary, kPairs, kXlmRoberta, "spiece.model", "tokenizer.model"};

absl::StatusOr<TokenizerConfig> read_config(const std::filesystem::path& directory) {
  const absl::StatusOr<std::string> config = read_file(directory / "tokenizer_config.json");
  const absl::StatusOr<std::string> specials = read_file(directory / "special_tokens_map.json");
  return read_tokenizer_config(config.value_or(""), specials.value_or(""));
}

absl::StatusOr<std::string> convert(const std::filesystem::path& path, std::string_view content) {
  ASSIGN_OR_RETURN(TokenizerConfig config, read_config(path.parent_path()));
  if (path.filename() == kVocabulary) return bert_tokenizer_json(content, config);
  if (path.filename() == kPairs) {
    ASSIGN_OR_RETURN(const std::string merges, read_file(path.parent_path() / kMerges));
    return bpe_tokenizer_json(content, merges, config);
  }
  if (path.filename() == kXlmRoberta && config.tokenizer_class.empty()) config.tokenizer_class = "XLMRobertaTokenizer";
  ASSIGN_OR_RETURN(const SentencePieceFile file, SentencePieceFile::parse(content));
  return sentencepiece_tokenizer_json(file, config);
}

}  // namespace

std::filesystem::path tokenizer_file(const std::filesystem::path& directory) {
  for (const std::string_view name : kFiles) {
    if (name == kPairs && !file_exists(directory / kMerges)) continue;
    if (file_exists(directory / name)) return directory / name;
  }
  return {};
}

absl::StatusOr<std::string> tokenizer_json_of(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(std::string content, read_file(file));
  const bool converts = file.filename() == kVocabulary || file.filename() == kPairs || file.extension() == ".model";
  if (!converts) return content;
  absl::StatusOr<std::string> json = convert(file, content);
  if (json.ok()) return json;
  return about(file.string(), json.status());
}

}  // namespace bouquet::tokenizer
