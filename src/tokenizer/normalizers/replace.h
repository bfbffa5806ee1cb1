// Replace, the normaliser and the decoder: every match of a pattern becomes a string.
//
// Patterns are plain strings and regular expressions; the commonest of those, one character repeated (" {2,}" or "a+"),
// are searched for without the engine.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tokenizer/decoders/decoder.h"
#include "tokenizer/json_object.h"
#include "tokenizer/normalizers/normalizer.h"
#include "tokenizer/regex.h"

namespace bouquet::tokenizer {

class Replacement {
 public:
  static absl::StatusOr<Replacement> from_json(const JsonObject& json);

  // Calls visit(begin, end) for every match, from left to right. Those of a regular expression may be empty.
  template <typename Visit>
  void for_each_match(std::string_view text, const Visit& visit) const {
    if (regex_ != nullptr) return regex_->for_each_match(text, visit);
    for (Regex::Match match = find(text, 0); match.begin < text.size(); match = find(text, match.end)) {
      visit(match.begin, match.end);
    }
  }

  const std::string& content() const { return content_; }

  // Whether a text cut at a safe boundary (boundaries.h) is replaced as the whole is.
  bool keeps_boundaries() const;

 private:
  static absl::Status read_regex(std::string_view pattern, std::string_view place, Replacement* result);
  // The first match at or after `from`; size() of the text where there is none.
  Regex::Match find(std::string_view text, size_t from) const;

  std::shared_ptr<const Regex> regex_;  // null: a string, or one character repeated
  std::string unit_;                    // what is matched, or repeated
  size_t least_ = 0;                    // fewest repetitions; 0: the unit as it stands
  std::string content_;
};

class ReplaceNormalizer final : public Normalizer {
 public:
  explicit ReplaceNormalizer(Replacement replacement) : replacement_(std::move(replacement)) {}
  static absl::StatusOr<std::unique_ptr<const Normalizer>> make(const JsonObject& json);
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
  bool looks_at_ends() const override { return !replacement_.keeps_boundaries(); }

 private:
  Replacement replacement_;
};

// Within each token.
class ReplaceDecoder final : public Decoder {
 public:
  explicit ReplaceDecoder(Replacement replacement) : replacement_(std::move(replacement)) {}
  static absl::StatusOr<std::unique_ptr<const Decoder>> make(const JsonObject& json);
  void decode(std::vector<std::string>* tokens) const override;

 private:
  Replacement replacement_;
};

}  // namespace bouquet::tokenizer
