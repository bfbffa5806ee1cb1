// Replace, the normaliser and the decoder: every match of a pattern becomes a string.
//
// Patterns are plain strings, and of regular expressions those that published tokenizers use: one character repeated,
// " {2,}" or "a+". Others are UNIMPLEMENTED, naming the pattern.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tokenizer/decoders/decoder.h"
#include "tokenizer/json_object.h"
#include "tokenizer/normalizers/normalizer.h"

namespace bouquet::tokenizer {

class Replacement {
 public:
  static absl::StatusOr<Replacement> from_json(const JsonObject& json);

  // The first match at or after `from`; size() of the text where there is none.
  struct Match {
    size_t begin, end;
  };
  Match find(std::string_view text, size_t from) const;

  const std::string& content() const { return content_; }

 private:
  std::string unit_;  // what is matched, or repeated
  size_t least_ = 0;  // fewest repetitions; 0: the unit as it stands
  std::string content_;
};

class ReplaceNormalizer final : public Normalizer {
 public:
  explicit ReplaceNormalizer(Replacement replacement) : replacement_(std::move(replacement)) {}
  static absl::StatusOr<std::unique_ptr<const Normalizer>> make(const JsonObject& json);
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;

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
