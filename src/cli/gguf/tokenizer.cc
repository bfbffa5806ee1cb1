// Vocabulary and merges as they stand; what splits and frames a text by its name, as llama.cpp knows it.
#include "cli/gguf/tokenizer_text.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "base/file.h"
#include "base/json_writer.h"
#include "base/status.h"
#include "fmt/format.h"
#include "rose/weights/gguf.h"

namespace bouquet::cli {
namespace {

namespace fs = std::filesystem;
using rose::GgufMetadata;

// tokenizer.ggml.token_type
enum TokenType : int64_t { kNormal = 1, kControl = 3, kUserDefined = 4, kUnused = 5 };

struct Splitting {
  std::string_view name;  // tokenizer.ggml.pre
  std::string_view pre_tokenizer;
  std::string_view normalizer;
  bool whole_words;  // a word that is a token is not cut, whatever the merges say
  bool begins;       // with the beginning-of-text token, where the file does not say
};

constexpr std::string_view kByGpt2 =
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true})";
constexpr std::string_view kByDigits =
    R"({"type":"Sequence","pretokenizers":[{"type":"Digits","individual_digits":true},)"
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true}]})";
constexpr std::string_view kByQwen =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":)"
    R"("(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|)"
    R"(\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},"behavior":"Isolated","invert":false},)"
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":false,"use_regex":false}]})";
constexpr std::string_view kByLlama =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":)"
    R"("(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|)"
    R"(\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},"behavior":"Isolated","invert":false},)"
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false}]})";

constexpr Splitting kSplittings[] = {
    {"gpt-2", kByGpt2, "null", false, false},
    {"smollm", kByDigits, "null", false, false},
    {"qwen2", kByQwen, R"({"type":"NFC"})", false, false},
    {"llama-bpe", kByLlama, "null", true, true},
};

struct Tokens {
  std::vector<std::string_view> texts;
  std::vector<int64_t> types;

  bool is_added(size_t id) const { return types[id] == kControl || types[id] == kUserDefined; }
};

absl::StatusOr<Tokens> read_tokens(const GgufMetadata& metadata) {
  auto texts = metadata.texts("tokenizer.ggml.tokens");
  if (!texts || texts->empty()) return absl::InvalidArgumentError("no tokenizer.ggml.tokens");
  std::vector<int64_t> types = metadata.integers("tokenizer.ggml.token_type").value_or(std::vector<int64_t>());
  types.resize(texts->size(), kNormal);
  return Tokens{*std::move(texts), std::move(types)};
}

void write_added_tokens(const Tokens& tokens, JsonWriter* json) {
  json->key("added_tokens").begin_array();
  for (size_t id = 0; id < tokens.texts.size(); ++id) {
    if (!tokens.is_added(id)) continue;
    json->begin_object().key("id").number(static_cast<int64_t>(id)).key("content").string(tokens.texts[id]);
    for (const char* key : {"single_word", "lstrip", "rstrip", "normalized"}) json->key(key).boolean(false);
    json->key("special").boolean(tokens.types[id] == kControl).end_object();
  }
  json->end_array();
}

// One id that a text is framed with.
absl::StatusOr<std::optional<int64_t>> frame_id(const GgufMetadata& metadata, const Tokens& tokens,
                                                std::string_view name, bool wanted) {
  if (!metadata.flag(fmt::format("tokenizer.ggml.add_{}_token", name)).value_or(wanted)) return std::nullopt;
  const std::string key = fmt::format("tokenizer.ggml.{}_token_id", name);
  const std::optional<int64_t> id = metadata.integer(key);
  if (!id || *id < 0 || *id >= static_cast<int64_t>(tokens.texts.size())) {
    return absl::InvalidArgumentError(fmt::format("{} is no token", key));
  }
  return id;
}

void write_template_part(const Tokens& tokens, int64_t id, int type, JsonWriter* json) {
  json->begin_object().key("SpecialToken").begin_object().key("id").string(tokens.texts[static_cast<size_t>(id)]);
  json->key("type_id").number(int64_t{type}).end_object().end_object();
}

void write_sequence(const char* id, int type, JsonWriter* json) {
  json->begin_object().key("Sequence").begin_object().key("id").string(id).key("type_id").number(int64_t{type});
  json->end_object().end_object();
}

// [begin] A [end], and for pairs B [end] with type `second`.
void write_template(const Tokens& tokens, std::optional<int64_t> begin, std::optional<int64_t> end, int second,
                    JsonWriter* json) {
  json->key("post_processor");
  if (!begin && !end) {
    json->null();
    return;
  }
  json->begin_object().key("type").string("TemplateProcessing");
  for (const bool pair : {false, true}) {
    json->key(pair ? "pair" : "single").begin_array();
    if (begin) write_template_part(tokens, *begin, 0, json);
    write_sequence("A", 0, json);
    if (end) write_template_part(tokens, *end, 0, json);
    if (pair) {
      write_sequence("B", second, json);
      if (end) write_template_part(tokens, *end, second, json);
    }
    json->end_array();
  }
  std::set<int64_t> ids;
  if (begin) ids.insert(*begin);
  if (end) ids.insert(*end);
  json->key("special_tokens").begin_object();
  for (const int64_t id : ids) {
    const std::string_view text = tokens.texts[static_cast<size_t>(id)];
    json->key(text).begin_object().key("id").string(text).key("ids").begin_array().number(id).end_array();
    json->key("tokens").begin_array().string(text).end_array().end_object();
  }
  json->end_object().end_object();
}

absl::StatusOr<std::string> bpe_json(const GgufMetadata& metadata) {
  const std::string_view name = metadata.text("tokenizer.ggml.pre").value_or("default");
  const auto* splitting = std::find_if(std::begin(kSplittings), std::end(kSplittings),
                                       [name](const Splitting& known) { return known.name == name; });
  if (splitting == std::end(kSplittings)) {
    return absl::UnimplementedError(fmt::format(
        "tokenizer.ggml.pre \"{}\" is not supported (gpt-2, smollm, qwen2 and llama-bpe are); a model directory with "
        "its tokenizer.json is",
        name));
  }
  ASSIGN_OR_RETURN(const Tokens tokens, read_tokens(metadata));
  const auto merges = metadata.texts("tokenizer.ggml.merges");
  if (!merges) return absl::InvalidArgumentError("no tokenizer.ggml.merges");
  ASSIGN_OR_RETURN(const auto begin, frame_id(metadata, tokens, "bos", splitting->begins));
  ASSIGN_OR_RETURN(const auto end, frame_id(metadata, tokens, "eos", false));
  JsonWriter json;
  json.begin_object().key("normalizer").raw(splitting->normalizer);
  json.key("pre_tokenizer").raw(splitting->pre_tokenizer);
  json.key("decoder").raw(kByGpt2);
  write_added_tokens(tokens, &json);
  write_template(tokens, begin, end, 0, &json);
  json.key("model").begin_object().key("type").string("BPE").key("byte_fallback").boolean(false);
  json.key("fuse_unk").boolean(false).key("ignore_merges").boolean(splitting->whole_words).key("vocab").begin_object();
  for (size_t id = 0; id < tokens.texts.size(); ++id) {
    if (tokens.types[id] != kUnused) json.key(tokens.texts[id]).number(static_cast<int64_t>(id));
  }
  json.end_object().key("merges").begin_array();
  for (const std::string_view merge : *merges) json.string(merge);
  json.end_array().end_object().end_object();
  return std::move(json).str();
}

// llama.cpp marks what begins a word, where BERT's own file marks what does not.
std::string piece_of(std::string_view token, bool added) {
  constexpr std::string_view kBegins = "\u2581";
  if (added || (token.starts_with('[') && token.ends_with(']'))) return std::string(token);
  if (token.starts_with(kBegins)) return std::string(token.substr(kBegins.size()));
  return fmt::format("##{}", token);
}

// A vocabulary with a capital letter is not of lower-cased text.
bool keeps_case(const Tokens& tokens) {
  for (size_t id = 0; id < tokens.texts.size(); ++id) {
    const std::string_view text = tokens.texts[id];
    if (tokens.is_added(id) || text.starts_with('[')) continue;
    if (std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) return true;
  }
  return false;
}

absl::StatusOr<std::string> wordpiece_json(const GgufMetadata& metadata) {
  ASSIGN_OR_RETURN(const Tokens tokens, read_tokens(metadata));
  const auto id_of = [&](std::string_view key, std::string_view text) -> std::optional<int64_t> {
    if (const auto id = metadata.integer(key)) return id;
    const auto found = std::find(tokens.texts.begin(), tokens.texts.end(), text);
    return found == tokens.texts.end() ? std::nullopt : std::optional<int64_t>(found - tokens.texts.begin());
  };
  const auto begin = id_of("tokenizer.ggml.cls_token_id", "[CLS]"),
             end = id_of("tokenizer.ggml.seperator_token_id", "[SEP]");
  const auto count = static_cast<int64_t>(tokens.texts.size());
  if (!begin || !end || *begin < 0 || *begin >= count || *end < 0 || *end >= count) {
    return absl::InvalidArgumentError("the tokenizer has no [CLS] or no [SEP]");
  }
  JsonWriter json;
  json.begin_object().key("normalizer").begin_object().key("type").string("BertNormalizer");
  json.key("clean_text").boolean(true).key("handle_chinese_chars").boolean(true).key("strip_accents").null();
  json.key("lowercase").boolean(!keeps_case(tokens)).end_object();
  json.key("pre_tokenizer").begin_object().key("type").string("BertPreTokenizer").end_object();
  json.key("decoder").raw(R"({"type":"WordPiece","prefix":"##","cleanup":true})");
  write_added_tokens(tokens, &json);
  write_template(tokens, begin, end, 1, &json);
  json.key("model").begin_object().key("type").string("WordPiece").key("unk_token").string("[UNK]");
  json.key("continuing_subword_prefix").string("##").key("max_input_chars_per_word").number(int64_t{100});
  json.key("vocab").begin_object();
  for (size_t id = 0; id < tokens.texts.size(); ++id) {
    json.key(piece_of(tokens.texts[id], tokens.is_added(id))).number(static_cast<int64_t>(id));
  }
  json.end_object().end_object().end_object();
  return std::move(json).str();
}

// f(metadata), whose errors get the file's name in front.
template <class F>
auto with_metadata(const fs::path& path, F f) -> decltype(f(std::declval<const GgufMetadata&>())) {
  ASSIGN_OR_RETURN(const MappedFile mapped, MappedFile::open(path));
  const absl::StatusOr<rose::GgufFile> file = rose::parse_gguf(mapped.bytes());
  const auto named = [&](const absl::Status& status) {
    return absl::Status(status.code(), fmt::format("{}: {}", path.string(), std::string(status.message())));
  };
  if (!file.ok()) return named(file.status());
  auto result = f(file->metadata);
  if (!result.ok()) return named(result.status());
  return result;
}

}  // namespace

absl::StatusOr<std::string> gguf_tokenizer_json(const GgufMetadata& metadata) {
  const std::string_view model = metadata.text("tokenizer.ggml.model").value_or("");
  if (model == "gpt2") return bpe_json(metadata);
  if (model == "bert") return wordpiece_json(metadata);
  return absl::UnimplementedError(
      fmt::format("tokenizer.ggml.model \"{}\" is not supported (gpt2 and bert are); a model directory with its "
                  "tokenizer.json is",
                  model));
}

absl::StatusOr<std::unique_ptr<const tokenizer::Tokenizer>> load_gguf_tokenizer(const fs::path& file) {
  ASSIGN_OR_RETURN(const std::string json, with_metadata(file, gguf_tokenizer_json));
  return tokenizer::Tokenizer::from_json(json);
}

absl::StatusOr<std::vector<int32_t>> read_gguf_stop_ids(const fs::path& file) {
  return with_metadata(file, [](const GgufMetadata& metadata) -> absl::StatusOr<std::vector<int32_t>> {
    std::vector<int32_t> ids;
    for (const char* key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"}) {
      if (const auto id = metadata.integer(key)) ids.push_back(static_cast<int32_t>(*id));
    }
    return ids;
  });
}

}  // namespace bouquet::cli
