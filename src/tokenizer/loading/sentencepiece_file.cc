// ModelProto: 1 pieces, 2 trainer_spec, 3 normalizer_spec. Field numbers are those of sentencepiece_model.proto.
#include "tokenizer/loading/sentencepiece_file.h"

#include <cmath>

#include "base/status.h"
#include "base/utf8.h"
#include "fmt/format.h"
#include "tokenizer/loading/wire_reader.h"

namespace bouquet::tokenizer {
namespace {

absl::Status broken() { return absl::InvalidArgumentError("is not a SentencePiece model"); }

absl::StatusOr<SentencePieceFile::Piece> read_piece(std::string_view bytes) {
  constexpr uint32_t kText = 1, kScore = 2, kType = 3;
  SentencePieceFile::Piece piece;
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field() == kText) piece.text = reader.bytes();
    if (reader.field() == kScore) piece.score = reader.real();
    if (reader.field() == kType) piece.type = static_cast<int32_t>(reader.number());
  }
  if (!reader.ok() || !is_valid_utf8(piece.text) || !std::isfinite(piece.score)) return broken();
  return piece;
}

absl::Status read_trainer(std::string_view bytes, SentencePieceFile* file) {
  constexpr uint32_t kModelType = 3, kUnkId = 40, kUnkPiece = 45;
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field() == kModelType) file->model_type = static_cast<int32_t>(reader.number());
    if (reader.field() == kUnkId) file->unk_id = static_cast<int32_t>(reader.number());
    if (reader.field() == kUnkPiece) file->unk_piece = reader.bytes();
  }
  return reader.ok() && is_valid_utf8(file->unk_piece) ? absl::OkStatus() : broken();
}

absl::Status read_normalizer(std::string_view bytes, SentencePieceFile* file) {
  constexpr uint32_t kCharsmap = 2;
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field() == kCharsmap) file->charsmap = reader.bytes();
  }
  return reader.ok() ? absl::OkStatus() : broken();
}

}  // namespace

absl::StatusOr<SentencePieceFile> SentencePieceFile::parse(std::string_view bytes) {
  constexpr uint32_t kPiece = 1, kTrainer = 2, kNormalizer = 3;
  SentencePieceFile file;
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field() == kPiece) {
      ASSIGN_OR_RETURN(Piece piece, read_piece(reader.bytes()));
      file.pieces.push_back(std::move(piece));
    }
    if (reader.field() == kTrainer) RETURN_IF_ERROR(read_trainer(reader.bytes(), &file));
    if (reader.field() == kNormalizer) RETURN_IF_ERROR(read_normalizer(reader.bytes(), &file));
  }
  if (!reader.ok() || file.pieces.empty()) return broken();
  if (file.unk_id < 0 || static_cast<size_t>(file.unk_id) >= file.pieces.size()) return broken();
  return file;
}

}  // namespace bouquet::tokenizer
