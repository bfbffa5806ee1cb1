// Loading: the file's parts through the registry, checked, into a Pipeline.
#include "tokenizer/tokenizer.h"

#include "base/status.h"
#include "tokenizer/fingerprint.h"
#include "tokenizer/json_object.h"
#include "tokenizer/loading/model_directory.h"
#include "tokenizer/pipeline.h"
#include "tokenizer/pre_tokenizers/byte_level_pre_tokenizer.h"
#include "tokenizer/registry.h"
#include "tokenizer/strings.h"

namespace bouquet::tokenizer {

void Encoding::clear() {
  ids.clear();
  type_ids.clear();
  offsets.clear();
  special.clear();
  second_begin = second_end = 0;
  truncated = false;
}

absl::StatusOr<std::unique_ptr<const Tokenizer>> Tokenizer::load(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const std::string json, tokenizer_json_of(file));
  absl::StatusOr<std::unique_ptr<const Tokenizer>> loaded = from_json(json);
  if (loaded.ok()) return loaded;
  return about(file.string(), loaded.status());
}

absl::StatusOr<std::unique_ptr<const Tokenizer>> Tokenizer::load_directory(const std::filesystem::path& directory) {
  const std::filesystem::path file = tokenizer_file(directory);
  if (file.empty()) return absl::NotFoundError(concat({"no tokenizer in ", directory.string()}));
  return load(file);
}

absl::StatusOr<std::unique_ptr<const Tokenizer>> Tokenizer::from_json(std::string_view json) {
  simdjson::dom::parser parser;
  JsonElement element;
  if (const auto error = parser.parse(json.data(), json.size()).get(element); error != simdjson::SUCCESS) {
    return json_error("", concat({"is not JSON: ", simdjson::error_message(error)}));
  }
  ASSIGN_OR_RETURN(const JsonObject root, JsonObject::of(element, ""));
  Components parts;
  ASSIGN_OR_RETURN(parts.normalizer, make_normalizer(root));
  ASSIGN_OR_RETURN(parts.pre_tokenizer, make_pre_tokenizer(root));
  const bool byte_level = parts.pre_tokenizer != nullptr && parts.pre_tokenizer->byte_level();
  ASSIGN_OR_RETURN(parts.model, make_model(root, byte_level));
  if (byte_level && !parts.model->reads_bytes()) {
    parts.pre_tokenizer = std::make_unique<const ByteAlphabetPreTokenizer>(std::move(parts.pre_tokenizer));
  }
  ASSIGN_OR_RETURN(parts.post_processor, make_post_processor(root));
  ASSIGN_OR_RETURN(parts.decoder, make_decoder(root));
  ASSIGN_OR_RETURN(parts.added, AddedTokens::from_json(root, parts.model->vocabulary(), parts.normalizer.get()));
  parts.fingerprint = fingerprint_of(root);
  return std::make_unique<const Pipeline>(std::move(parts));
}

}  // namespace bouquet::tokenizer
