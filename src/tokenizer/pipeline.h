// The Tokenizer made of the components of a tokenizer.json.
#pragma once

#include <memory>

#include "tokenizer/added_tokens.h"
#include "tokenizer/boundaries.h"
#include "tokenizer/decoders/decoder.h"
#include "tokenizer/id_cache.h"
#include "tokenizer/models/model.h"
#include "tokenizer/normalizers/normalizer.h"
#include "tokenizer/post_processors/post_processor.h"
#include "tokenizer/post_processors/trim_offsets.h"
#include "tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::tokenizer {

// Pointers but the model's may be null: the step is then left out.
struct Components {
  std::unique_ptr<const Normalizer> normalizer;
  std::unique_ptr<const PreTokenizer> pre_tokenizer;
  std::unique_ptr<const Model> model;
  std::unique_ptr<const Decoder> decoder;
  PostProcessor post_processor;
  AddedTokens added;
  uint64_t fingerprint = 0;
};

struct IdRun;

// Bytes of text that the calling thread has tokenized so far; tests use it to see that truncation stops the work.
uint64_t bytes_tokenized();

class Pipeline final : public Tokenizer {
 public:
  explicit Pipeline(Components components);

  void encode(std::string_view text, const EncodeOptions& options, Encoding* out) const override;
  bool encode_ids(std::string_view text, const EncodeOptions& options, std::vector<int32_t>* ids) const override;
  void encode_pair(std::string_view a, std::string_view b, const EncodeOptions& options, Encoding* out) const override;
  std::string decode(std::span<const int32_t> ids, bool skip_special_tokens) const override;
  int32_t vocab_size() const override;
  std::string_view id_to_token(int32_t id) const override;
  std::optional<int32_t> token_to_id(std::string_view token) const override;
  bool is_special(int32_t id) const override;
  int32_t special_count(bool pair) const override;
  bool has_type_ids() const override;
  std::optional<int32_t> leading_special() const override;
  std::optional<int32_t> trailing_special() const override;
  uint64_t fingerprint() const override { return parts_.fingerprint; }

 private:
  struct Kept;
  struct Input;
  struct PartMaker;
  struct WordMaker;
  struct ChunkMaker;
  static constexpr size_t kNoLimit = size_t{1} << 40;  // more tokens than a text can have, and far from overflow

  // How a stretch of text is tokenized.
  struct Mode {
    bool first;    // the text begins with it
    bool literal;  // special tokens in it are ordinary text
    bool offsets;  // wanted
    size_t limit;  // tokens after which to stop
  };

  // Of one piece between added tokens; both are good until the next call in this thread.
  struct Words {
    std::string_view text;  // normalised
    std::span<const Piece> pieces;
  };

  static size_t bytes_for(size_t tokens);
  Words words_of(std::string_view chunk, const Piece& piece, const Mode& mode) const;
  void tokenize_chunk(std::string_view chunk, uint32_t base, size_t limit, bool literal, TokenBuffer* tokens) const;
  void tokenize_valid(std::string_view chunk, const Mode& mode, TokenBuffer* tokens) const;
  void tokenize_piece(std::string_view chunk, const Piece& piece, const Mode& mode, TokenBuffer* tokens) const;
  bool moves_origins(std::string_view text, bool starts_piece, bool literal) const;
  void tokenize_on(std::string_view text, size_t at, size_t enough, bool literal, TokenBuffer* tokens) const;
  void tokenize_head(std::string_view text, size_t enough, bool literal, TokenBuffer* tokens) const;
  void tokenize_tail(std::string_view text, size_t enough, bool literal, TokenBuffer* tokens) const;
  void tokenize(std::string_view text, size_t budget, const EncodeOptions& options, TokenBuffer* tokens) const;
  bool first_is_longer(std::string_view a, std::string_view b, size_t budget, bool literal) const;
  void append_words(const Input& input, size_t at, size_t end, IdRun* run) const;
  void append_chunks(const Input& input, size_t at, size_t end, IdRun* run) const;
  bool append_ids(const Input& input, IdRun* run) const;
  bool encode_uncached(std::string_view text, const EncodeOptions& options, std::vector<int32_t>* out) const;
  bool keeps_ids() const { return caches_words_ || !boundaries_.nowhere(); }
  size_t budget(const EncodeOptions& options, bool pair) const;
  void assemble(const std::vector<TemplatePiece>& pieces, std::span<const Kept> kept, const EncodeOptions& options,
                Encoding* out) const;

  Components parts_;
  OffsetTrimmer trimmer_;
  Boundaries boundaries_;
  bool caches_words_;  // else chunks
  mutable IdCachePool caches_;
};

}  // namespace bouquet::tokenizer
