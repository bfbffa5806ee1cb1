// Metaspace: spaces become a visible character (U+2581), one is put before the text, and each begins a word.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tokenizer/json_object.h"
#include "tokenizer/pre_tokenizers/pre_tokenizer.h"

namespace bouquet::tokenizer {

// Before which pieces a replacement is put that do not begin with one: all, the one the text begins with, none.
enum class PrependScheme : uint8_t { kAlways, kFirst, kNever };

struct MetaspaceOptions {
  char32_t replacement = 0x2581;
  PrependScheme prepend = PrependScheme::kAlways;
  bool split = true;  // words begin at replacements

  // Reads the old field add_prefix_space as well. INVALID_ARGUMENT, naming the place, where the two contradict.
  static absl::StatusOr<MetaspaceOptions> from_json(const JsonObject& json);
};

class MetaspacePreTokenizer final : public PreTokenizer {
 public:
  explicit MetaspacePreTokenizer(const MetaspaceOptions& options)
      : options_(options), replacement_(utf8_of(options.replacement)) {}
  static absl::StatusOr<std::unique_ptr<const PreTokenizer>> make(const JsonObject& json);

  void split(const std::vector<Piece>& pieces, NormalizedText* text, std::vector<Piece>* out) const override;
  CutRule cut_rule() const override { return options_.split ? CutRule::kBeforeSpace : CutRule::kNowhere; }

 private:
  void split_piece(Span piece, NormalizedText* text, std::vector<Piece>* out) const;
  uint32_t next_stop(std::string_view view, uint32_t at) const;
  bool begins_word(std::string_view view, size_t at) const;

  MetaspaceOptions options_;
  std::string replacement_;
};

}  // namespace bouquet::tokenizer
