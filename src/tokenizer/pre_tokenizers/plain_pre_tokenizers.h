// CharDelimiterSplit, FixedLength and UnicodeScripts.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tokenizer/json_object.h"
#include "tokenizer/pre_tokenizers/pre_tokenizer.h"

namespace bouquet::tokenizer {

// Words end at one character, which is in none.
class CharDelimiterPreTokenizer final : public CuttingPreTokenizer {
 public:
  explicit CharDelimiterPreTokenizer(std::string delimiter) : delimiter_(std::move(delimiter)) {}
  static absl::StatusOr<std::unique_ptr<const PreTokenizer>> make(const JsonObject& json);
  void cut(std::string_view text, Span part, std::vector<Piece>* words) const override;
  CutRule cut_rule() const override { return CutRule::kAsNext; }

 private:
  std::string delimiter_;
};

// Words of so many characters, but the last.
class FixedLengthPreTokenizer final : public CuttingPreTokenizer {
 public:
  explicit FixedLengthPreTokenizer(int32_t length) : length_(length) {}
  static absl::StatusOr<std::unique_ptr<const PreTokenizer>> make(const JsonObject& json);
  void cut(std::string_view text, Span part, std::vector<Piece>* words) const override;
  CutRule cut_rule() const override { return CutRule::kNowhere; }

 private:
  int32_t length_;  // > 0
};

// Words end where the script changes; what is of no script goes with what is before it, and is lost at the start.
class UnicodeScriptsPreTokenizer final : public CuttingPreTokenizer {
 public:
  void cut(std::string_view text, Span part, std::vector<Piece>* words) const override;
  CutRule cut_rule() const override { return CutRule::kNowhere; }
};

}  // namespace bouquet::tokenizer
