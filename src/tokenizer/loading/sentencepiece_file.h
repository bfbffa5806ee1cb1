// Reads SentencePiece's .model file, a protobuf message ModelProto, as far as a tokenizer needs it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::tokenizer {

struct SentencePieceFile {
  enum ModelType : int32_t { kUnigram = 1, kBpe = 2, kWord = 3, kChar = 4 };
  enum PieceType : int32_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };
  struct Piece {
    std::string text;  // well-formed UTF-8
    float score = 0;   // finite
    int32_t type = kNormal;
  };

  std::vector<Piece> pieces;  // not empty; a piece's id is its place
  int32_t model_type = kUnigram;
  int32_t unk_id = 0;
  std::string unk_piece = "<unk>";
  std::string charsmap;  // precompiled; "" where there is none

  // INVALID_ARGUMENT: not such a file. Fields it does not know are skipped. Any bytes are safe.
  static absl::StatusOr<SentencePieceFile> parse(std::string_view bytes);
};

}  // namespace bouquet::tokenizer
