// The second step: normalised text -> words.
#pragma once

#include <string_view>
#include <vector>

#include "tokenizer/normalized_text.h"
#include "tokenizer/words.h"

namespace bouquet::tokenizer {

// Where a text may be cut so that the words of both halves are those of the whole (boundaries.h).
enum class CutRule : uint8_t {
  kNowhere,
  kAfterSpace,   // white space ends words and is in none
  kBeforeSpace,  // a single space begins a word
  kAfterLetter,  // letters, and digits, end a word before white space or punctuation (but ' and _), and a single space
                 // begins one
  kAsNext,       // cuts between characters of two kinds, whatever stands around: what comes next decides
};

// Immutable.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;

  // Puts into `out` (empty before) the words that `pieces` of the text consist of, in order, and the added tokens among
  // them. May rewrite the text: `out` is about the new one.
  virtual void split(const std::vector<Piece>& pieces, NormalizedText* text, std::vector<Piece>* out) const = 0;

  virtual CutRule cut_rule() const = 0;

  // Whether the bytes of the words stand for characters of the byte-level alphabet (unicode/byte_alphabet.h).
  virtual bool byte_level() const { return false; }

  // Whether the words are always the pieces.
  virtual bool keeps_words() const { return false; }

  // Whether each punctuation character is a word of its own.
  virtual bool isolates_punctuation() const { return false; }
};

// One that leaves the text as it is.
class CuttingPreTokenizer : public PreTokenizer {
 public:
  void split(const std::vector<Piece>& pieces, NormalizedText* text, std::vector<Piece>* out) const final {
    for (const Piece& piece : pieces) {
      if (piece.id >= 0) {
        out->push_back(piece);
      } else {
        cut(text->view(), piece.span, out);
      }
    }
  }
  CutRule cut_rule() const override { return CutRule::kAfterSpace; }

  // Appends the words of bytes [part.begin, part.end) of `text`.
  virtual void cut(std::string_view text, Span part, std::vector<Piece>* words) const = 0;
};

}  // namespace bouquet::tokenizer
