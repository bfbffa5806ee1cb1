// Byte-pair encoding (Sennrich 2016): a word's characters are joined pair by pair, in the order the merges were learnt.
//
// Words come as text, or as raw bytes that stand for the byte-level alphabet (unicode/byte_alphabet.h): then the text
// is never written out in that alphabet. A token of part of a character has the bytes of the whole character.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "tokenizer/models/char_pairs.h"
#include "tokenizer/models/model.h"
#include "tokenizer/models/symbols.h"
#include "tokenizer/models/word_table.h"

namespace bouquet::tokenizer {

class BpeModel final : public Model {
 public:
  struct Options {
    std::string unk_token;                  // "" for none: unknown characters are left out
    std::string continuing_subword_prefix;  // of every character but a word's first
    std::string end_of_word_suffix;         // of a word's last character
    bool fuse_unk = false;                  // unknown characters side by side are one token
    bool byte_fallback = false;             // unknown characters are the tokens of their bytes, "<0xE4>"
    bool ignore_merges = false;             // a word that is a token as it stands is that one
  };

  // With `byte_level` the words are those of ByteLevel; reads_bytes() tells whether they may come as raw bytes.
  // UNIMPLEMENTED with dropout. INVALID_ARGUMENT where a merge, or the unknown token, is not in the vocabulary.
  static absl::StatusOr<std::unique_ptr<const Model>> make(const JsonObject& json, bool byte_level);

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  bool reads_bytes() const override { return reads_bytes_; }
  uint32_t part_end(std::string_view text, Span word) const override;
  void tokenize_each(std::string_view text, std::span<const Piece> words, TokenBuffer* tokens,
                     std::vector<size_t>* ends) const override;

 private:
  static constexpr int32_t kNone = -1;
  using WholeWords = std::unordered_map<std::string, int32_t>;

  BpeModel(Options options, Vocabulary vocabulary) : options_(std::move(options)), vocabulary_(std::move(vocabulary)) {}

  absl::Status load_merges(const JsonObject& json);
  absl::Status add_merge(std::string_view left, std::string_view right, uint32_t rank, const std::string& place);
  void prepare(bool byte_level);
  void find_whole_words();
  void try_whole_word(const std::string& word, int32_t token, WholeWords* found) const;

  void tokenize_word(std::string_view text, Span word, TokenBuffer* tokens) const override;
  void merge_part(std::string_view text, Span part, TokenBuffer* tokens) const;
  struct Started;
  void start(std::string_view text, Span word, Started* started) const;
  void finish(std::string_view text, Span word, Started* started, TokenBuffer* tokens) const;
  int32_t find_whole(std::string_view text, Span word) const;
  void tokenize_part(std::string_view text, Span part, TokenBuffer* tokens) const;
  uint32_t first_mark(std::string_view text, Span word) const;
  uint32_t first_gap(std::string_view text, Span word) const;

  uint32_t to_symbols(std::string_view word, std::vector<Symbol>* symbols) const;
  uint32_t to_text_symbols(std::string_view word, std::vector<Symbol>* symbols) const;
  int32_t char_id(std::string_view word, size_t at, size_t length) const;
  bool add_bytes(std::string_view word, size_t at, size_t length, std::vector<Symbol>* symbols, uint32_t* placed) const;

  Options options_;
  Vocabulary vocabulary_;
  PairTable merges_;
  WordTable whole_;      // words that come out as one token
  ByteTrie long_whole_;  // ... of more than WordTable::kLongest bytes
  bool reads_bytes_ = false;
  bool joins_over_mark_ = false;    // a merge makes a token with a U+2581 behind another character
  bool parts_at_mark_ = false;      // such places cut a word into parts
  std::optional<CharPairs> pairs_;  // where they cut a word into parts
  int32_t unk_id_ = kNone;
  uint32_t continuing_ = 0;              // the vocabulary's node under the prefix
  bool has_continuing_ = true;           // there is one
  std::array<int32_t, 256> byte_ids_{};  // of the alphabet's characters, or of "<0x00>" ...
};

}  // namespace bouquet::tokenizer
