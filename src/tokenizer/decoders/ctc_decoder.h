// CTC, of speech models: of equal tokens in a row one stays, pads vanish, delimiters become spaces (with cleanup).
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "tokenizer/decoders/decoder.h"
#include "tokenizer/json_object.h"

namespace bouquet::tokenizer {

class CtcDecoder final : public Decoder {
 public:
  struct Options {
    std::string pad_token, word_delimiter_token;  // not empty
    bool cleanup = true;
  };

  explicit CtcDecoder(Options options) : options_(std::move(options)) {}
  static absl::StatusOr<std::unique_ptr<const Decoder>> make(const JsonObject& json);
  void decode(std::vector<std::string>* tokens) const override;

 private:
  Options options_;
};

}  // namespace bouquet::tokenizer
