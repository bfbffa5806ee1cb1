// From the file's metadata, which ROSE reads, to the tokenizer, which knows nothing of ROSE.
#include "cli/gguf/tokenizer.h"

#include "base/status.h"
#include "rose/weights/gguf.h"
#include "tokenizer/loading/gguf_vocabulary.h"

namespace bouquet::cli {
namespace {

using rose::GgufMetadata;
using tokenizer::GgufVocabulary;

GgufVocabulary vocabulary_of(const GgufMetadata& metadata) {
  return {.model = metadata.text("tokenizer.ggml.model").value_or(""),
          .pre = metadata.text("tokenizer.ggml.pre").value_or("default"),
          .tokens = metadata.texts("tokenizer.ggml.tokens").value_or(std::vector<std::string_view>()),
          .token_type = metadata.integers("tokenizer.ggml.token_type").value_or(std::vector<int64_t>()),
          .merges = metadata.texts("tokenizer.ggml.merges"),
          .add_bos_token = metadata.flag("tokenizer.ggml.add_bos_token"),
          .add_eos_token = metadata.flag("tokenizer.ggml.add_eos_token"),
          .bos_token_id = metadata.integer("tokenizer.ggml.bos_token_id"),
          .eos_token_id = metadata.integer("tokenizer.ggml.eos_token_id"),
          .cls_token_id = metadata.integer("tokenizer.ggml.cls_token_id"),
          .seperator_token_id = metadata.integer("tokenizer.ggml.seperator_token_id")};
}

}  // namespace

absl::StatusOr<std::unique_ptr<const tokenizer::Tokenizer>> load_gguf_tokenizer(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const rose::MappedGguf gguf, rose::open_gguf(file));
  const absl::StatusOr<std::string> json = tokenizer::gguf_tokenizer_json(vocabulary_of(gguf.file.metadata));
  if (!json.ok()) return about(file.string(), json.status());
  return tokenizer::Tokenizer::from_json(*json);
}

absl::StatusOr<std::vector<int32_t>> read_gguf_stop_ids(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const rose::MappedGguf gguf, rose::open_gguf(file));
  std::vector<int32_t> ids;
  for (const char* key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"}) {
    if (const auto id = gguf.file.metadata.integer(key)) ids.push_back(static_cast<int32_t>(*id));
  }
  return ids;
}

}  // namespace bouquet::cli
