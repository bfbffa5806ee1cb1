// One reader for each kind of directory.
#include "ivy/late_interaction.h"

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status.h"
#include "ivy/json_file.h"

namespace bouquet::ivy {
namespace {

namespace fs = std::filesystem;

// What Python's string.punctuation holds: the usual words without a vector.
constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

std::vector<std::string> punctuation() {
  std::vector<std::string> words;
  for (const char c : kPunctuation) words.emplace_back(1, c);
  return words;
}

int32_t length_of(const JsonFile& file, std::string_view key) {
  return static_cast<int32_t>(file.integer(key).value_or(0));
}

// The mask token, or the end token where there is none.
absl::StatusOr<std::string> usual_filling_token(const fs::path& directory) {
  ASSIGN_OR_RETURN(const JsonFile tokenizer, JsonFile::read_if_there(directory / "tokenizer_config.json"));
  const std::string mask = tokenizer.text("mask_token");
  return mask.empty() ? tokenizer.text("eos_token") : mask;
}

absl::Status read_filling(const JsonFile& config, LateInteraction* out) {
  const std::string strategy = config.text("/query_expansion/strategy");
  if (strategy.empty()) return absl::OkStatus();
  if (strategy != "fixed" && strategy != "min") {
    return absl::UnimplementedError(absl::StrCat("query_expansion: strategy \"", strategy, "\" is not known"));
  }
  out->filling = strategy == "fixed" ? Filling::kFixed : Filling::kAtLeast;
  out->filled_length = length_of(config, "/query_expansion/length");
  out->filling_is_seen = config.flag("/query_expansion/attend").value_or(true);
  if (const std::string token = config.text("/query_expansion/token"); !token.empty()) out->filling_token = token;
  return absl::OkStatus();
}

absl::Status read_mask(const fs::path& folder, LateInteraction* out) {
  ASSIGN_OR_RETURN(const JsonFile config, JsonFile::read_if_there(folder / "config.json"));
  if (config.has("keep_only_token_ids")) return absl::UnimplementedError("keep_only_token_ids is not supported");
  out->skipped_words = config.texts("skiplist_words");
  if (!config.has("skiplist_tasks")) return absl::OkStatus();
  out->skips_in_queries = out->skips_in_documents = false;
  for (const std::string& task : config.texts("skiplist_tasks")) {
    (task == "query" ? out->skips_in_queries : out->skips_in_documents) = true;
  }
  return absl::OkStatus();
}

// sentence-transformers 6: lengths and filling beside the Transformer, words in the MultiVectorMask module.
absl::Status read_modules(const fs::path& directory, const JsonFile& modules, LateInteraction* out) {
  ASSIGN_OR_RETURN(const JsonFile config, JsonFile::read_if_there(directory / "sentence_bert_config.json"));
  out->query_length = length_of(config, "query_length");
  out->document_length = length_of(config, "document_length");
  RETURN_IF_ERROR(read_filling(config, out));
  for (int i = 0; modules.has(absl::StrCat("/", i)); ++i) {
    if (modules.text(absl::StrCat("/", i, "/type")).ends_with(".MultiVectorMask")) {
      RETURN_IF_ERROR(read_mask(directory / modules.text(absl::StrCat("/", i, "/path")), out));
    }
  }
  return absl::OkStatus();
}

// PyLate up to 3 keeps all of it in config_sentence_transformers.json.
void read_pylate(const JsonFile& config, LateInteraction* out) {
  out->prompts["query"] = config.text("query_prefix");
  out->prompts["document"] = config.text("document_prefix");
  out->document_length = length_of(config, "document_length");
  out->query_length = length_of(config, "query_length");
  if (config.flag("do_query_expansion").value_or(true)) {
    out->filling = Filling::kFixed;
    out->filled_length = out->query_length;
    out->filling_is_seen = config.flag("attend_to_expansion_tokens").value_or(false);
  }
  out->skipped_words = config.has("skiplist_words") ? config.texts("skiplist_words") : punctuation();
}

void read_stanford(const JsonFile& metadata, LateInteraction* out) {
  const auto mark = [&](std::string_view key, const char* usual) {
    const std::string token = metadata.text(key);
    return absl::StrCat(token.empty() ? usual : token, " ");
  };
  out->prompts["query"] = mark("query_token_id", "[unused0]");
  out->prompts["document"] = mark("doc_token_id", "[unused1]");
  out->document_length = length_of(metadata, "doc_maxlen");
  out->query_length = out->filled_length = static_cast<int32_t>(metadata.integer("query_maxlen").value_or(32));
  out->filling = Filling::kFixed;
  out->filling_is_seen = metadata.flag("attend_to_mask_tokens").value_or(false);
  if (metadata.flag("mask_punctuation").value_or(true)) out->skipped_words = punctuation();
}

}  // namespace

absl::StatusOr<LateInteraction> read_late_interaction(const fs::path& directory) {
  LateInteraction out;
  ASSIGN_OR_RETURN(out.filling_token, usual_filling_token(directory));
  out.drops_first = file_exists(directory / "colbert_linear.pt");
  if (file_exists(directory / "artifact.metadata")) {
    ASSIGN_OR_RETURN(const JsonFile metadata, JsonFile::read_if_there(directory / "artifact.metadata"));
    read_stanford(metadata, &out);
    return out;
  }
  ASSIGN_OR_RETURN(const JsonFile config, JsonFile::read_if_there(directory / "config_sentence_transformers.json"));
  if (config.text("model_type") == "ColBERT") {
    read_pylate(config, &out);
    return out;
  }
  ASSIGN_OR_RETURN(const JsonFile modules, JsonFile::read_if_there(directory / "modules.json"));
  RETURN_IF_ERROR(read_modules(directory, modules, &out));
  return out;
}

}  // namespace bouquet::ivy
