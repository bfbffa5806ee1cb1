// A table of (type, factory) for each kind of component.
#include "tokenizer/registry.h"

#include <span>

#include "base/status.h"
#include "tokenizer/decoders/byte_level_decoder.h"
#include "tokenizer/decoders/ctc_decoder.h"
#include "tokenizer/decoders/simple_decoders.h"
#include "tokenizer/decoders/wordpiece_decoder.h"
#include "tokenizer/models/bpe_model.h"
#include "tokenizer/models/unigram_model.h"
#include "tokenizer/models/wordlevel_model.h"
#include "tokenizer/models/wordpiece_model.h"
#include "tokenizer/normalizers/bert_normalizer.h"
#include "tokenizer/normalizers/byte_level_normalizer.h"
#include "tokenizer/normalizers/form_normalizer.h"
#include "tokenizer/normalizers/nmt_normalizer.h"
#include "tokenizer/normalizers/precompiled_normalizer.h"
#include "tokenizer/normalizers/replace.h"
#include "tokenizer/normalizers/simple_normalizers.h"
#include "tokenizer/post_processors/bert_processing.h"
#include "tokenizer/post_processors/template_processing.h"
#include "tokenizer/post_processors/trim_offsets.h"
#include "tokenizer/pre_tokenizers/bert_pre_tokenizer.h"
#include "tokenizer/pre_tokenizers/byte_level_pre_tokenizer.h"
#include "tokenizer/pre_tokenizers/class_pre_tokenizers.h"
#include "tokenizer/pre_tokenizers/metaspace_pre_tokenizer.h"
#include "tokenizer/pre_tokenizers/plain_pre_tokenizers.h"
#include "tokenizer/pre_tokenizers/split_pre_tokenizer.h"
#include "tokenizer/pre_tokenizers/whitespace_pre_tokenizers.h"
#include "tokenizer/strings.h"

namespace bouquet::tokenizer {
namespace {

template <typename Made>
struct Factory {
  std::string_view type;
  absl::StatusOr<Made> (*make)(const JsonObject& json);
};

template <typename Made>
absl::StatusOr<Made> make_by_type(std::string_view kind, std::string_view type, const JsonObject& json,
                                  std::span<const Factory<Made>> factories) {
  for (const Factory<Made>& factory : factories) {
    if (factory.type == type) return factory.make(json);
  }
  return absl::UnimplementedError(concat({"tokenizer.json: ", kind, " \"", type, "\" is not supported"}));
}

using NormalizerPtr = std::unique_ptr<const Normalizer>;
using PreTokenizerPtr = std::unique_ptr<const PreTokenizer>;
using ModelPtr = std::unique_ptr<const Model>;
using DecoderPtr = std::unique_ptr<const Decoder>;

template <typename Base, typename Derived>
absl::StatusOr<std::unique_ptr<const Base>> make_plain(const JsonObject&) {
  return std::make_unique<const Derived>();
}

// The components of a Sequence, left out where they do nothing.
template <typename Base>
absl::StatusOr<std::vector<std::unique_ptr<const Base>>> make_parts(
    const JsonObject& json, std::string_view key,
    absl::StatusOr<std::unique_ptr<const Base>> (*make)(const JsonObject& json)) {
  ASSIGN_OR_RETURN(const simdjson::dom::array array, json.array(key));
  std::vector<std::unique_ptr<const Base>> parts;
  size_t index = 0;
  for (const JsonElement element : array) {
    const std::string place = concat({json.place_of(key), "[", std::to_string(index++), "]"});
    ASSIGN_OR_RETURN(const JsonObject part_json, JsonObject::of(element, place));
    ASSIGN_OR_RETURN(std::unique_ptr<const Base> part, make(part_json));
    if (part != nullptr) parts.push_back(std::move(part));
  }
  return parts;
}

absl::StatusOr<NormalizerPtr> normalizer_of(const JsonObject& json);
absl::StatusOr<PreTokenizerPtr> pre_tokenizer_of(const JsonObject& json);
absl::StatusOr<DecoderPtr> decoder_of(const JsonObject& json);
absl::StatusOr<PostProcessor> post_processor_of(const JsonObject& json);

absl::StatusOr<NormalizerPtr> make_normalizer_sequence(const JsonObject& json) {
  ASSIGN_OR_RETURN(std::vector<NormalizerPtr> parts, make_parts<Normalizer>(json, "normalizers", normalizer_of));
  if (parts.empty()) return NormalizerPtr();
  return std::make_unique<const SequenceNormalizer>(std::move(parts));
}

absl::StatusOr<PreTokenizerPtr> make_pre_tokenizer_sequence(const JsonObject& json) {
  ASSIGN_OR_RETURN(std::vector<PreTokenizerPtr> parts,
                   make_parts<PreTokenizer>(json, "pretokenizers", pre_tokenizer_of));
  if (parts.empty()) return PreTokenizerPtr();
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i]->byte_level()) parts[i] = std::make_unique<const ByteAlphabetPreTokenizer>(std::move(parts[i]));
  }
  return std::make_unique<const SequencePreTokenizer>(std::move(parts));
}

absl::StatusOr<DecoderPtr> make_decoder_sequence(const JsonObject& json) {
  ASSIGN_OR_RETURN(std::vector<DecoderPtr> parts, make_parts<Decoder>(json, "decoders", decoder_of));
  return std::make_unique<const SequenceDecoder>(std::move(parts));
}

template <NormalForm::Kind kind>
absl::StatusOr<NormalizerPtr> make_form(const JsonObject&) {
  return std::make_unique<const FormNormalizer>(kind);
}

absl::StatusOr<NormalizerPtr> make_bert_normalizer(const JsonObject& json) {
  BertNormalizerOptions options;
  ASSIGN_OR_RETURN(options.clean_text, json.flag("clean_text"));
  ASSIGN_OR_RETURN(options.handle_chinese_chars, json.flag("handle_chinese_chars"));
  ASSIGN_OR_RETURN(options.lowercase, json.flag("lowercase"));
  ASSIGN_OR_RETURN(options.strip_accents, json.flag_or("strip_accents", options.lowercase));
  return std::make_unique<const BertNormalizer>(options);
}

constexpr Factory<NormalizerPtr> kNormalizers[] = {
    {"BertNormalizer", make_bert_normalizer},
    {"ByteLevel", make_plain<Normalizer, ByteLevelNormalizer>},
    {"Lowercase", make_plain<Normalizer, LowercaseNormalizer>},
    {"NFC", make_form<NormalForm::kNfc>},
    {"NFD", make_form<NormalForm::kNfd>},
    {"NFKC", make_form<NormalForm::kNfkc>},
    {"NFKD", make_form<NormalForm::kNfkd>},
    {"Nmt", make_plain<Normalizer, NmtNormalizer>},
    {"Precompiled", PrecompiledNormalizer::make},
    {"Prepend", PrependNormalizer::make},
    {"Replace", ReplaceNormalizer::make},
    {"Sequence", make_normalizer_sequence},
    {"Strip", StripNormalizer::make},
    {"StripAccents", make_plain<Normalizer, StripAccentsNormalizer>},
};

constexpr Factory<PreTokenizerPtr> kPreTokenizers[] = {
    {"BertPreTokenizer", make_plain<PreTokenizer, BertPreTokenizer>},
    {"ByteLevel", ByteLevelPreTokenizer::make},
    {"CharDelimiterSplit", CharDelimiterPreTokenizer::make},
    {"Digits", DigitsPreTokenizer::make},
    {"FixedLength", FixedLengthPreTokenizer::make},
    {"Metaspace", MetaspacePreTokenizer::make},
    {"Punctuation", PunctuationPreTokenizer::make},
    {"Sequence", make_pre_tokenizer_sequence},
    {"Split", SplitPreTokenizer::make},
    {"UnicodeScripts", make_plain<PreTokenizer, UnicodeScriptsPreTokenizer>},
    {"Whitespace", make_plain<PreTokenizer, WhitespacePreTokenizer>},
    {"WhitespaceSplit", make_plain<PreTokenizer, WhitespaceSplitPreTokenizer>},
};

constexpr Factory<ModelPtr> kModels[] = {
    {"Unigram", UnigramModel::make}, {"WordLevel", WordlevelModel::make}, {"WordPiece", WordpieceModel::make}};

constexpr Factory<DecoderPtr> kDecoders[] = {
    {"BPEDecoder", BpeDecoder::make},
    {"ByteFallback", make_plain<Decoder, ByteFallbackDecoder>},
    {"ByteLevel", make_plain<Decoder, ByteLevelDecoder>},
    {"CTC", CtcDecoder::make},
    {"Fuse", make_plain<Decoder, FuseDecoder>},
    {"Metaspace", MetaspaceDecoder::make},
    {"Replace", ReplaceDecoder::make},
    {"Sequence", make_decoder_sequence},
    {"Strip", StripDecoder::make},
    {"WordPiece", WordpieceDecoder::make},
};

// Templates that follow one another would be filled with one another; offsets are trimmed before the first.
absl::StatusOr<PostProcessor> make_processing_sequence(const JsonObject& json) {
  ASSIGN_OR_RETURN(const simdjson::dom::array array, json.array("processors"));
  PostProcessor result;
  bool has_template = false;
  size_t index = 0;
  for (const JsonElement element : array) {
    const std::string place = concat({json.place_of("processors"), "[", std::to_string(index++), "]"});
    ASSIGN_OR_RETURN(const JsonObject part_json, JsonObject::of(element, place));
    ASSIGN_OR_RETURN(const std::string_view type, part_json.text("type"));
    ASSIGN_OR_RETURN(PostProcessor part, post_processor_of(part_json));
    if (has_template && (type != "ByteLevel" || !part.trims.empty())) {
      return absl::UnimplementedError(concat({"tokenizer.json: ", place, " behind a template is not supported"}));
    }
    result.trims.insert(result.trims.end(), part.trims.begin(), part.trims.end());
    if (type == "ByteLevel") continue;
    has_template = true;
    result.single = std::move(part.single);
    result.pair = std::move(part.pair);
  }
  return result;
}

constexpr Factory<PostProcessor> kPostProcessors[] = {
    {"BertProcessing", make_bert_processing},         {"ByteLevel", make_byte_level_processing},
    {"RobertaProcessing", make_roberta_processing},   {"Sequence", make_processing_sequence},
    {"TemplateProcessing", make_template_processing},
};

absl::StatusOr<NormalizerPtr> normalizer_of(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view type, json.text("type"));
  return make_by_type<NormalizerPtr>("normalizer", type, json, kNormalizers);
}

absl::StatusOr<PreTokenizerPtr> pre_tokenizer_of(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view type, json.text("type"));
  return make_by_type<PreTokenizerPtr>("pre_tokenizer", type, json, kPreTokenizers);
}

absl::StatusOr<DecoderPtr> decoder_of(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view type, json.text("type"));
  return make_by_type<DecoderPtr>("decoder", type, json, kDecoders);
}

absl::StatusOr<PostProcessor> post_processor_of(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view type, json.text("type"));
  return make_by_type<PostProcessor>("post_processor", type, json, kPostProcessors);
}

}  // namespace

absl::StatusOr<NormalizerPtr> make_normalizer(const JsonObject& root) {
  if (!root.find("normalizer")) return NormalizerPtr();
  ASSIGN_OR_RETURN(const JsonObject json, root.object("normalizer"));
  return normalizer_of(json);
}

absl::StatusOr<PreTokenizerPtr> make_pre_tokenizer(const JsonObject& root) {
  if (!root.find("pre_tokenizer")) return PreTokenizerPtr();
  ASSIGN_OR_RETURN(const JsonObject json, root.object("pre_tokenizer"));
  return pre_tokenizer_of(json);
}

absl::StatusOr<DecoderPtr> make_decoder(const JsonObject& root) {
  if (!root.find("decoder")) return DecoderPtr();
  ASSIGN_OR_RETURN(const JsonObject json, root.object("decoder"));
  return decoder_of(json);
}

absl::StatusOr<PostProcessor> make_post_processor(const JsonObject& root) {
  if (!root.find("post_processor")) return PostProcessor();
  ASSIGN_OR_RETURN(const JsonObject json, root.object("post_processor"));
  return post_processor_of(json);
}

absl::StatusOr<ModelPtr> make_model(const JsonObject& root, bool byte_level) {
  ASSIGN_OR_RETURN(const JsonObject json, root.object("model"));
  // Old files do not say the type; these fields are only BPE's and WordPiece's.
  if (!json.find("type") && json.find("merges")) return BpeModel::make(json, byte_level);
  const bool untyped =
      !json.find("type") && json.find("continuing_subword_prefix") && json.find("max_input_chars_per_word");
  if (untyped) return WordpieceModel::make(json);
  ASSIGN_OR_RETURN(const std::string_view type, json.text("type"));
  if (type == "BPE") return BpeModel::make(json, byte_level);
  return make_by_type<ModelPtr>("model", type, json, kModels);
}

}  // namespace bouquet::tokenizer
