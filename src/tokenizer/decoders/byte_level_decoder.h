// Decoders of byte-pair encoding: ByteLevel, and BPEDecoder for vocabularies that mark the ends of words.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "tokenizer/decoders/decoder.h"
#include "tokenizer/json_object.h"

namespace bouquet::tokenizer {

// Makes one token: the bytes all stand for, as UTF-8 with U+FFFD for what is none. A token with a character outside the
// byte-level alphabet stands for itself.
class ByteLevelDecoder final : public Decoder {
 public:
  void decode(std::vector<std::string>* tokens) const override;
};

// The suffix becomes a space, and nothing in the last token.
class BpeDecoder final : public Decoder {
 public:
  explicit BpeDecoder(std::string suffix) : suffix_(std::move(suffix)) {}
  static absl::StatusOr<std::unique_ptr<const Decoder>> make(const JsonObject& json);
  void decode(std::vector<std::string>* tokens) const override;

 private:
  std::string suffix_;
};

}  // namespace bouquet::tokenizer
