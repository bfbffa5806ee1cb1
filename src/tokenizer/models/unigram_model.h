// Unigram (Kudo 2018): the cut of a word into pieces of the vocabulary whose scores sum up highest.
//
// Sums are f64 and of equal ones the path found first stays, as in `tokenizers`. A character that no piece covers alone
// may be unknown, at the lowest score less 10; unknown characters side by side are one token, or, with byte_fallback,
// the tokens of their bytes.
#pragma once

#include <array>
#include <memory>

#include "tokenizer/models/model.h"

namespace bouquet::tokenizer {

class UnigramModel final : public Model {
 public:
  // INVALID_ARGUMENT: an empty vocabulary, or no unknown token in it.
  static absl::StatusOr<std::unique_ptr<const Model>> make(const JsonObject& json);

  const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  // The best path that ends at a byte: its last piece.
  struct Best {
    double score;
    uint32_t begin;
    int32_t id;  // kUnreached: no path ends here
  };
  struct Scratch;
  static constexpr int32_t kUnreached = -2;
  static constexpr size_t kLanes = 16;  // characters from which the trie is walked side by side

  // Pieces that begin at one character of a word.
  struct Lane {
    uint32_t begin;
    uint32_t length;  // of the character, bytes
    uint32_t node;
    uint32_t count;  // of its matches
  };
  struct Match {
    uint32_t length;  // bytes
    int32_t id;
  };

  UnigramModel(Vocabulary vocabulary, HugeVector<double> scores, size_t longest, int32_t unk_id, bool byte_fallback);

  void tokenize_word(std::string_view text, Span word, TokenBuffer* tokens) const override;
  size_t open_lanes(std::string_view word, size_t begin, Scratch* scratch) const;
  void walk(std::string_view word, size_t lanes, Scratch* scratch) const;
  void find_best(std::string_view word, Scratch* scratch) const;
  void add_unknown(std::string_view word, Span part, uint32_t offset, TokenBuffer* tokens) const;

  Vocabulary vocabulary_;
  HugeVector<double> scores_;  // by id
  uint32_t longest_ = 1;       // bytes of a piece
  int32_t unk_id_;
  double unk_score_;
  bool byte_fallback_;
  std::array<int32_t, 256> byte_ids_;  // of "<0x00>" ...; ByteTrie::kNone where the vocabulary lacks it
};

}  // namespace bouquet::tokenizer
