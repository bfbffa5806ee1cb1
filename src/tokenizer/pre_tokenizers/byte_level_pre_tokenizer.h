// ByteLevel (GPT-2): words by GPT-2's pattern, whose bytes stand for characters of the byte-level alphabet.
//
// The bytes are left as they are; ByteAlphabetPreTokenizer writes them out in that alphabet for whoever needs it.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "tokenizer/json_object.h"
#include "tokenizer/pre_tokenizers/pre_tokenizer.h"

namespace bouquet::tokenizer {

class ByteLevelPreTokenizer final : public PreTokenizer {
 public:
  ByteLevelPreTokenizer(bool add_prefix_space, bool use_regex)
      : add_prefix_space_(add_prefix_space), use_regex_(use_regex) {}
  static absl::StatusOr<std::unique_ptr<const PreTokenizer>> make(const JsonObject& json);

  void split(const std::vector<Piece>& pieces, NormalizedText* text, std::vector<Piece>* out) const override;
  CutRule cut_rule() const override;
  bool byte_level() const override { return true; }
  bool keeps_words() const override { return !add_prefix_space_ && !use_regex_; }

 private:
  void add_spaces(const std::vector<Piece>& pieces, NormalizedText* text, std::vector<Piece>* out) const;

  bool add_prefix_space_;  // before every piece that does not begin with one
  bool use_regex_;
};

class ByteAlphabetPreTokenizer final : public PreTokenizer {
 public:
  // `inner` is byte_level().
  explicit ByteAlphabetPreTokenizer(std::unique_ptr<const PreTokenizer> inner) : inner_(std::move(inner)) {}
  void split(const std::vector<Piece>& pieces, NormalizedText* text, std::vector<Piece>* out) const override;
  // What comes next reads the alphabet, in which no white space is.
  CutRule cut_rule() const override {
    return inner_->cut_rule() == CutRule::kAsNext ? CutRule::kNowhere : inner_->cut_rule();
  }

 private:
  std::unique_ptr<const PreTokenizer> inner_;
};

}  // namespace bouquet::tokenizer
