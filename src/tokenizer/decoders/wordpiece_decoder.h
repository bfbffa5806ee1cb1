// The WordPiece decoder: joins continuing pieces, and (cleanup) closes up English punctuation and contractions.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "tokenizer/decoders/decoder.h"
#include "tokenizer/json_object.h"

namespace bouquet::tokenizer {

class WordpieceDecoder final : public Decoder {
 public:
  WordpieceDecoder(std::string prefix, bool cleanup) : prefix_(std::move(prefix)), cleanup_(cleanup) {}
  static absl::StatusOr<std::unique_ptr<const Decoder>> make(const JsonObject& json);

  void decode(std::vector<std::string>* tokens) const override;

 private:
  std::string prefix_;
  bool cleanup_;
};

}  // namespace bouquet::tokenizer
