// Text -> token ids, exactly as Hugging Face `tokenizers` makes them from the same tokenizer.json.
//
// A Tokenizer is immutable once loaded: share one copy between any number of threads. It owns no thread and does no
// I/O but loading. A component of the file that it does not know makes loading fail with UNIMPLEMENTED, naming it;
// the file's own `truncation` and `padding` are ignored (the caller decides the limit, nothing is ever padded).
//
//   ASSIGN_OR_RETURN(auto tokenizer, Tokenizer::load("model/tokenizer.json"));
//   Encoding encoding;
//   tokenizer->encode("two kinds of traffic", {.max_length = 256}, &encoding);
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::tokenizer {

enum class TruncationSide : uint8_t { kRight, kLeft };  // which end of the text is cut off

struct EncodeOptions {
  bool add_special_tokens = true;  // apply the file's post-processor
  int32_t max_length = 0;          // most ids, special tokens included; 0: no limit. Text past it is not read.
  TruncationSide truncation_side = TruncationSide::kRight;
  bool literal_special_tokens = false;  // special tokens typed in the text ("[SEP]") are ordinary text
};

// Bytes [begin, end) of the UTF-8 input. Special tokens from the template are {0, 0}, as in `tokenizers`.
struct Offset {
  uint32_t begin = 0;
  uint32_t end = 0;
  friend bool operator==(const Offset&, const Offset&) = default;
};

// All arrays have one entry a token. The caller owns it and may reuse it: encode() clears, never shrinks.
struct Encoding {
  std::vector<int32_t> ids;
  std::vector<uint8_t> type_ids;
  std::vector<Offset> offsets;   // a pair's second half counts from the start of the second text
  std::vector<uint8_t> special;  // 1: put there by the template (the special_tokens_mask)
  size_t second_begin = 0;       // tokens [second_begin, second_end) are of a pair's second text
  size_t second_end = 0;
  bool truncated = false;  // true: max_length cut something off
  void clear();
};

// Made by load(); behind it stands pipeline.h.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // INVALID_ARGUMENT: broken file, naming the place. UNIMPLEMENTED: a component that is not known, naming it.
  // `file` is a tokenizer.json, or, known by its name, a vocab.txt, a vocab.json or a SentencePiece .model; what those
  // leave open is looked for in tokenizer_config.json and special_tokens_map.json beside it.
  static absl::StatusOr<std::unique_ptr<const Tokenizer>> load(const std::filesystem::path& file);

  // From the first of these that the directory has: tokenizer.json, vocab.txt, vocab.json with merges.txt,
  // sentencepiece.bpe.model, spiece.model, tokenizer.model. NOT_FOUND where it has none.
  static absl::StatusOr<std::unique_ptr<const Tokenizer>> load_directory(const std::filesystem::path& directory);
  static absl::StatusOr<std::unique_ptr<const Tokenizer>> from_json(std::string_view json);

  // `text` is UTF-8; each maximal ill-formed part is read as one U+FFFD (as bouquet::replace_invalid_utf8 does), and
  // offsets count the bytes of `text` itself. With max_length below the template's own ids only the first of those
  // come.
  virtual void encode(std::string_view text, const EncodeOptions& options, Encoding* out) const = 0;

  // The ids of encode() alone, much faster: short stretches of text that came before are not tokenized again. Returns
  // encode()'s `truncated`.
  virtual bool encode_ids(std::string_view text, const EncodeOptions& options, std::vector<int32_t>* ids) const = 0;

  // A pair, cut longest first (as `tokenizers` and sentence-transformers' CrossEncoder do) when over max_length. Where
  // both texts are too long and an odd number of ids is to be shared, the shorter text is read to its end.
  virtual void encode_pair(std::string_view a, std::string_view b, const EncodeOptions& options,
                           Encoding* out) const = 0;

  // Ids -> text through the file's decoder. An id outside the vocabulary is skipped.
  virtual std::string decode(std::span<const int32_t> ids, bool skip_special_tokens) const = 0;

  virtual int32_t vocab_size() const = 0;  // added tokens included; ids are below it
  // "" when there is none. An added token that is looked for in normalised text comes in that form.
  virtual std::string_view id_to_token(int32_t id) const = 0;
  virtual std::optional<int32_t> token_to_id(std::string_view token) const = 0;
  virtual bool is_special(int32_t id) const = 0;                // an added token marked special
  virtual int32_t special_count(bool pair) const = 0;           // ids the template adds
  virtual bool has_type_ids() const = 0;                        // other than 0, for single texts
  virtual std::optional<int32_t> leading_special() const = 0;   // the id every single text starts with
  virtual std::optional<int32_t> trailing_special() const = 0;  // ... and ends with

  // Hash of all that decides text -> id; equal fingerprints give equal ids.
  virtual uint64_t fingerprint() const = 0;
};

}  // namespace bouquet::tokenizer
