// One function a class says what is its own; vocabulary, merges and added tokens are made alike.
#include "tokenizer/loading/sentencepiece_conversion.h"

#include <algorithm>
#include <map>

#include "absl/strings/escaping.h"
#include "base/status.h"
#include "fmt/format.h"
#include "tokenizer/loading/bpe_merges.h"
#include "tokenizer/loading/json_text.h"
#include "tokenizer/loading/tokenizer_text.h"

namespace bouquet::tokenizer {
namespace {

struct VocabularyPiece {
  std::string text;
  double score;
};

// What becomes a tokenizer.json.
struct Conversion {
  const SentencePieceFile& file;
  const TokenizerConfig& config;
  std::vector<VocabularyPiece> vocabulary;
  TokenizerText text;

  Conversion(const SentencePieceFile& file, const TokenizerConfig& config) : file(file), config(config) {
    for (const SentencePieceFile::Piece& piece : file.pieces) vocabulary.push_back({piece.text, piece.score});
  }

  std::string content(std::string_view name, std::string_view otherwise) const {
    return config.token(name, otherwise).content;
  }
};

constexpr std::string_view kMetaspace =
    R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true})";

std::string replace_text(std::string_view from, std::string_view to) {
  return fmt::format(R"({{"type":"Replace","pattern":{{"String":{}}},"content":{}}})", json_quoted(from),
                     json_quoted(to));
}

std::string sequence_text(std::string_view key, const std::vector<std::string>& parts) {
  return fmt::format(R"({{"type":"Sequence","{}":[{}]}})", key, fmt::join(parts, ","));
}

// Empty where the model has none.
std::vector<std::string> charsmap_text(const SentencePieceFile& file) {
  if (file.charsmap.empty()) return {};
  const std::string encoded = absl::Base64Escape(absl::string_view(file.charsmap.data(), file.charsmap.size()));
  return {fmt::format(R"({{"type":"Precompiled","precompiled_charsmap":"{}"}})", encoded)};
}

absl::Status set_template(std::string_view single, std::string_view pair, Conversion* made) {
  std::map<std::string, int32_t, std::less<>> ids;
  for (const VocabularyPiece& piece : made->vocabulary) ids[piece.text] = static_cast<int32_t>(ids.size());
  ASSIGN_OR_RETURN(made->text.post_processor, template_text(single, pair, ids));
  return absl::OkStatus();
}

// Words end at white space, and each begins with a replacement.
void set_words(Conversion* made) {
  made->text.pre_tokenizer = sequence_text("pretokenizers", {R"({"type":"WhitespaceSplit"})", std::string(kMetaspace)});
  made->text.decoder = kMetaspace;
}

std::string unigram_text(const Conversion& made, int32_t unk_id) {
  std::string vocab;
  for (const VocabularyPiece& piece : made.vocabulary) {
    vocab += fmt::format("{}[{},{}]", vocab.empty() ? "" : ",", json_quoted(piece.text), piece.score);
  }
  return fmt::format(R"({{"type":"Unigram","unk_id":{},"byte_fallback":false,"vocab":[{}]}})", unk_id, vocab);
}

std::string bpe_text(const Conversion& made) {
  std::vector<ScoredPiece> pieces;
  std::map<std::string_view, size_t> ids;
  for (const VocabularyPiece& piece : made.vocabulary) {
    ids[piece.text] = pieces.size();
    pieces.push_back({piece.text, piece.score});
  }
  std::string vocab, merges;
  for (const auto& [piece, id] : ids) vocab += fmt::format("{}{}:{}", vocab.empty() ? "" : ",", json_quoted(piece), id);
  for (const auto& [left, right] : merges_of(pieces)) {
    merges += fmt::format("{}[{},{}]", merges.empty() ? "" : ",", json_quoted(left), json_quoted(right));
  }
  return fmt::format(
      R"({{"type":"BPE","dropout":null,"unk_token":{},"continuing_subword_prefix":null,"end_of_word_suffix":null,)"
      R"("fuse_unk":true,"byte_fallback":true,"ignore_merges":false,"vocab":{{{}}},"merges":[{}]}})",
      json_quoted(made.file.unk_piece), vocab, merges);
}

// The model's own control and user-defined pieces, then what the files name.
void add_tokens(const std::vector<std::pair<std::string_view, std::string_view>>& names, Conversion* made) {
  made->text.add(made->config.added);
  std::vector<AddedToken> named;
  for (const auto& [name, otherwise] : names) {
    AddedToken token = made->config.token(name, otherwise);
    if (!token.content.empty()) named.push_back(std::move(token));
  }
  made->text.add(named);
  made->text.add(made->config.additional);
  std::vector<AddedToken> pieces;
  for (const SentencePieceFile::Piece& piece : made->file.pieces) {
    const bool is_control = piece.type == SentencePieceFile::kControl;
    if (!is_control && piece.type != SentencePieceFile::kUserDefined) continue;
    pieces.push_back({.content = piece.text, .normalized = false, .special = is_control});
  }
  made->text.add(pieces);
}

// Fairseq's first ids, and a mask at the end that takes the space before it.
absl::Status convert_xlm_roberta(Conversion* made) {
  std::vector<VocabularyPiece>& vocabulary = made->vocabulary;
  vocabulary.erase(vocabulary.begin(), vocabulary.begin() + std::min<std::ptrdiff_t>(3, std::ssize(vocabulary)));
  const std::string start = made->content("bos_token", "<s>"), end = made->content("eos_token", "</s>");
  const std::string mask = made->content("mask_token", "<mask>");
  vocabulary.insert(
      vocabulary.begin(),
      {{start, 0}, {made->content("pad_token", "<pad>"), 0}, {end, 0}, {made->content("unk_token", "<unk>"), 0}});
  vocabulary.push_back({mask, 0});
  made->text.model = unigram_text(*made, 3);
  if (auto map = charsmap_text(made->file); !map.empty()) made->text.normalizer = map[0];
  set_words(made);
  if (made->config.added.empty() && !made->config.named.contains("mask_token")) {
    made->text.add({{.content = mask, .lstrip = true, .normalized = false, .special = true}});
  }
  add_tokens({{"bos_token", "<s>"},
              {"eos_token", "</s>"},
              {"unk_token", "<unk>"},
              {"sep_token", "</s>"},
              {"pad_token", "<pad>"},
              {"cls_token", "<s>"},
              {"mask_token", "<mask>"}},
             made);
  return set_template(fmt::format("{} A {}", start, end), fmt::format("{0} A {1} {1} B {1}", start, end), made);
}

absl::Status convert_t5(Conversion* made) {
  const int32_t extra = made->config.extra_ids.value_or(100);
  if (extra > 100000) return absl::InvalidArgumentError("tokenizer_config.json: extra_ids is over 100000");
  for (int32_t i = extra - 1; i >= 0; --i) made->vocabulary.push_back({fmt::format("<extra_id_{}>", i), 0});
  made->text.model = unigram_text(*made, made->file.unk_id);
  if (auto map = charsmap_text(made->file); !map.empty()) made->text.normalizer = map[0];
  set_words(made);
  add_tokens({{"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}}, made);
  std::vector<AddedToken> sentinels;
  for (int32_t i = 0; i < extra; ++i) {
    sentinels.push_back({.content = fmt::format("<extra_id_{}>", i), .normalized = false, .special = true});
  }
  made->text.add(sentinels);
  const std::string end = made->content("eos_token", "</s>");
  return set_template(fmt::format("A {}", end), fmt::format("A {0} B {0}", end), made);
}

// "1," is a piece that BERT's old code never made.
bool is_number_with_comma(std::string_view piece) {
  return piece.size() >= 2 && piece.ends_with(',') && piece[piece.size() - 2] >= '0' && piece[piece.size() - 2] <= '9';
}

absl::Status convert_albert(Conversion* made) {
  for (VocabularyPiece& piece : made->vocabulary) {
    if (is_number_with_comma(piece.text)) piece.score -= 100;
  }
  made->text.model = unigram_text(*made, made->file.unk_id);
  std::vector<std::string> normalizers = {replace_text("``", "\""), replace_text("''", "\"")};
  if (!made->config.flag("keep_accents", false)) {
    normalizers.insert(normalizers.end(), {R"({"type":"NFKD"})", R"({"type":"StripAccents"})"});
  }
  if (made->config.flag("do_lower_case", true)) normalizers.push_back(R"({"type":"Lowercase"})");
  for (std::string& map : charsmap_text(made->file)) normalizers.push_back(std::move(map));
  normalizers.push_back(R"({"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "})");
  made->text.normalizer = sequence_text("normalizers", normalizers);
  set_words(made);
  if (made->config.added.empty() && !made->config.named.contains("mask_token")) {
    made->text.add({{.content = "[MASK]", .lstrip = true, .normalized = false, .special = true}});
  }
  add_tokens({{"bos_token", "[CLS]"},
              {"eos_token", "[SEP]"},
              {"unk_token", "<unk>"},
              {"sep_token", "[SEP]"},
              {"pad_token", "<pad>"},
              {"cls_token", "[CLS]"},
              {"mask_token", "[MASK]"}},
             made);
  return set_template("[CLS] A [SEP]", "[CLS] A [SEP] B:1 [SEP]:1", made);
}

// What add_bos_token and add_eos_token say.
absl::Status set_ends(std::string_view start, std::string_view end, Conversion* made) {
  const bool starts = made->config.flag("add_bos_token", true), ends = made->config.flag("add_eos_token", false);
  std::string single = starts ? fmt::format("{} A", start) : "A";
  if (ends) single += fmt::format(" {}", end);
  std::string pair = single + (starts ? fmt::format(" {}:1 B:1", start) : " B:1");
  if (ends) pair += fmt::format(" {}:1", end);
  return set_template(single, pair, made);
}

std::vector<std::string> bytes_decoders() {
  return {replace_text("▁", " "), R"({"type":"ByteFallback"})", R"({"type":"Fuse"})"};
}

absl::Status convert_llama(Conversion* made) {
  const bool prefix = made->config.flag("add_prefix_space", true);
  if (made->config.flag("legacy", true)) {
    std::vector<std::string> normalizers;
    if (prefix) normalizers.push_back(R"({"type":"Prepend","prepend":"▁"})");
    normalizers.push_back(replace_text(" ", "▁"));
    made->text.normalizer = sequence_text("normalizers", normalizers);
  } else {
    made->text.pre_tokenizer = fmt::format(
        R"({{"type":"Metaspace","replacement":"▁","prepend_scheme":"{}","split":false}})", prefix ? "first" : "never");
  }
  std::vector<std::string> decoders = bytes_decoders();
  if (prefix) decoders.push_back(R"({"type":"Strip","content":" ","start":1,"stop":0})");
  made->text.decoder = sequence_text("decoders", decoders);
  made->text.model = bpe_text(*made);
  add_tokens({{"bos_token", "<s>"}, {"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", ""}}, made);
  return set_ends(made->content("bos_token", "<s>"), made->content("eos_token", "</s>"), made);
}

// The first three pieces by the names the files give them; a tab that the vocabulary lacks takes the place of its byte.
void rename_gemma_pieces(Conversion* made) {
  std::vector<VocabularyPiece>& pieces = made->vocabulary;
  const std::string names[] = {made->content("pad_token", "<pad>"), made->content("eos_token", "<eos>"),
                               made->content("bos_token", "<bos>")};
  for (size_t i = 0; i < std::size(names) && i < pieces.size(); ++i) pieces[i] = {names[i], 0};
  const auto find = [&](std::string_view text) {
    return std::find_if(pieces.begin(), pieces.end(), [&](const VocabularyPiece& piece) { return piece.text == text; });
  };
  const auto byte = find("<0x09>");
  if (find("\t") == pieces.end() && byte != pieces.end()) *byte = {"\t", 0};
}

absl::Status convert_gemma(Conversion* made) {
  rename_gemma_pieces(made);
  made->text.normalizer = replace_text(" ", "▁");
  made->text.pre_tokenizer =
      R"({"type":"Split","pattern":{"String":" "},"behavior":"MergedWithPrevious","invert":false})";
  made->text.decoder = sequence_text("decoders", bytes_decoders());
  made->text.model = bpe_text(*made);
  add_tokens({{"bos_token", "<bos>"},
              {"eos_token", "<eos>"},
              {"unk_token", "<unk>"},
              {"pad_token", "<pad>"},
              {"mask_token", "<mask>"}},
             made);
  for (AddedToken& token : made->text.added) {
    token.special |= token.content == "<start_of_turn>" || token.content == "<end_of_turn>";
  }
  return set_ends(made->content("bos_token", "<bos>"), made->content("eos_token", "<eos>"), made);
}

struct Class {
  std::string_view name;
  SentencePieceFile::ModelType model;
  absl::Status (*convert)(Conversion* made);
};

constexpr Class kClasses[] = {
    {"AlbertTokenizer", SentencePieceFile::kUnigram, convert_albert},
    {"GemmaTokenizer", SentencePieceFile::kBpe, convert_gemma},
    {"LlamaTokenizer", SentencePieceFile::kBpe, convert_llama},
    {"T5Tokenizer", SentencePieceFile::kUnigram, convert_t5},
    {"XLMRobertaTokenizer", SentencePieceFile::kUnigram, convert_xlm_roberta},
};

}  // namespace

absl::StatusOr<std::string> sentencepiece_tokenizer_json(const SentencePieceFile& file, const TokenizerConfig& config) {
  for (const Class& known : kClasses) {
    if (known.name != config.tokenizer_class) continue;
    if (file.model_type != known.model) {
      return absl::UnimplementedError(
          fmt::format("a SentencePiece model of type {} for {} is not supported", file.model_type, known.name));
    }
    Conversion made(file, config);
    RETURN_IF_ERROR(known.convert(&made));
    return made.text.json();
  }
  return absl::UnimplementedError(
      fmt::format("tokenizer_class \"{}\" with a SentencePiece model is not supported", config.tokenizer_class));
}

}  // namespace bouquet::tokenizer
