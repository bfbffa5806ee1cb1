// A small SentencePiece model, written field by field.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

namespace bouquet::tokenizer {

// A field of bytes; `field` and the length are below 16 and 128.
inline std::string wire_bytes(int field, std::string_view bytes) {
  return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(bytes.size())}.append(bytes);
}

inline std::string wire_number(int field, char number) { return {static_cast<char>(field << 3), number}; }

inline std::string wire_real(int field, float value) {
  std::string bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));
  return std::string{static_cast<char>(field << 3 | 5)}.append(bytes);
}

inline std::string small_piece(std::string_view text, float score, char type = 1) {
  return wire_bytes(1, wire_bytes(1, text) + wire_real(2, score) + wire_number(3, type));
}

// Pieces of all kinds; `model_type` is 1 for Unigram, 2 for BPE.
inline std::string small_sentencepiece(char model_type) {
  return small_piece("<unk>", 0, 2) + small_piece("<s>", 0, 3) + small_piece("</s>", 0, 3) + small_piece("▁", -2) +
         small_piece("a", -3) + small_piece("b", -3) + small_piece("▁a", -1) + small_piece("ab", -1.5) +
         small_piece("<t>", 0, 4) + small_piece("1,", -4) + wire_bytes(2, wire_number(3, model_type));
}

}  // namespace bouquet::tokenizer
