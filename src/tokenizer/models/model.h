// The third step: words -> token ids.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tokenizer/models/vocabulary.h"
#include "tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::tokenizer {

// Tokens of one text, in order; both arrays have one entry a token.
struct TokenBuffer {
  std::vector<int32_t> ids;
  std::vector<Offset> offsets;

  size_t size() const { return ids.size(); }
  void clear() {
    ids.clear();
    offsets.clear();
  }
  void add(int32_t id, uint32_t begin, uint32_t end) {
    ids.push_back(id);
    offsets.push_back({begin, end});
  }
  void resize(size_t size) {
    ids.resize(size);
    offsets.resize(size);
  }
};

// Immutable.
class Model {
 public:
  virtual ~Model() = default;

  // Appends the tokens of `words`, which are bytes of `text` or added tokens, with their bytes of `text`. Stops after
  // the word with which `tokens` reaches `limit` tokens.
  void tokenize(std::string_view text, std::span<const Piece> words, size_t limit, TokenBuffer* tokens) const {
    for (const Piece& word : words) {
      if (tokens->size() >= limit) return;
      if (word.id >= 0) {
        tokens->add(word.id, word.span.begin, word.span.end);
      } else {
        tokenize_word(text, word.span, tokens);
      }
    }
  }

  // Appends the tokens of each word, and to `ends` the size of `tokens` behind each. Faster than one by one where words
  // wait for memory.
  virtual void tokenize_each(std::string_view text, std::span<const Piece> words, TokenBuffer* tokens,
                             std::vector<size_t>* ends) const {
    for (const Piece& word : words) {
      tokenize_word(text, word.span, tokens);
      ends->push_back(tokens->size());
    }
  }

  // Where the first part of a word ends whose tokens are those of the word, followed by those of the rest.
  virtual uint32_t part_end(std::string_view text, Span word) const {
    (void)text;
    return word.end;
  }

  virtual const Vocabulary& vocabulary() const = 0;

  // Whether words of ByteLevel are read as raw bytes instead of characters of the byte-level alphabet.
  virtual bool reads_bytes() const { return false; }

 private:
  // Appends the tokens of one word, with their bytes of `text`.
  virtual void tokenize_word(std::string_view text, Span word, TokenBuffer* tokens) const = 0;
};

}  // namespace bouquet::tokenizer
