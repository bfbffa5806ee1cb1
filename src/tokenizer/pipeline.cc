// Text -> chunks at safe boundaries -> pieces between added tokens -> normalise -> words -> tokens -> template.
#include "tokenizer/pipeline.h"

#include <algorithm>

#include "base/utf8.h"
#include "tokenizer/truncation.h"
#include "tokenizer/unicode/repair.h"

namespace bouquet::tokenizer {
namespace {

// Of slots for short texts in a cache: 4 MB of words, 2 MB of chunks.
constexpr uint32_t kWordPairs = 1 << 16, kChunkPairs = 1 << 15;

// Buffers of one thread, kept from text to text so that encoding does not allocate.
struct Scratch {
  NormalizerScratch normalizer;
  NormalizedText text;
  RepairedText repaired;
  std::vector<Piece> raw, normalized, words;
  TokenBuffer first, second;
  uint64_t bytes = 0;
};

Scratch& scratch() {
  thread_local Scratch buffers;
  return buffers;
}

}  // namespace

// Bytes first tried for a number of tokens; texts with longer tokens take another round.
size_t Pipeline::bytes_for(size_t tokens) { return tokens * 4 + 64; }

uint64_t bytes_tokenized() { return scratch().bytes; }

// Tokens [begin, end) of a buffer, which are a text's.
struct Pipeline::Kept {
  std::string_view text;
  const TokenBuffer* tokens;
  size_t begin, end;

  // `count` tokens of the end that is kept.
  static Kept of(std::string_view text, const TokenBuffer& tokens, size_t count, TruncationSide side) {
    const size_t begin = side == TruncationSide::kRight ? 0 : tokens.size() - count;
    return {text, &tokens, begin, begin + count};
  }
};

Pipeline::Pipeline(Components components)
    : parts_(std::move(components)),
      trimmer_(parts_.post_processor.trims, parts_.model->vocabulary(), parts_.added),
      boundaries_(parts_.added, parts_.normalizer.get(), parts_.pre_tokenizer.get()),
      caches_words_(parts_.model->reads_bytes()),
      caches_(caches_words_ ? kWordPairs : kChunkPairs, keeps_ids() ? 1 : 0) {}

Pipeline::Words Pipeline::words_of(std::string_view chunk, const Piece& piece, const Mode& mode) const {
  Scratch& buffers = scratch();
  buffers.bytes += piece.span.end - piece.span.begin;
  NormalizedText& text = buffers.text;
  text.reset(text_of(chunk, piece.span), mode.first && piece.span.begin == 0);
  if (!mode.offsets && !mode.first) text.forget_origins();
  if (parts_.normalizer != nullptr) parts_.normalizer->normalize(&buffers.normalizer, &text);
  buffers.normalized.clear();
  parts_.added.normalized().find(text.view(), mode.literal, &buffers.normalized);
  if (parts_.pre_tokenizer == nullptr) return {text.view(), buffers.normalized};
  buffers.words.clear();
  parts_.pre_tokenizer->split(buffers.normalized, &text, &buffers.words);
  return {text.view(), buffers.words};
}

// One piece between the added tokens found in the raw text.
void Pipeline::tokenize_piece(std::string_view chunk, const Piece& piece, const Mode& mode, TokenBuffer* tokens) const {
  const Words words = words_of(chunk, piece, mode);
  const size_t before = tokens->size();
  parts_.model->tokenize(words.text, words.pieces, mode.limit, tokens);
  if (!mode.offsets) return;
  const NormalizedText& text = scratch().text;
  for (size_t i = before; i < tokens->size(); ++i) {
    Offset& offset = tokens->offsets[i];
    offset = {piece.span.begin + text.original_begin(offset.begin), piece.span.begin + text.original_end(offset.end)};
  }
}

void Pipeline::tokenize_valid(std::string_view chunk, const Mode& mode, TokenBuffer* tokens) const {
  Scratch& buffers = scratch();
  buffers.raw.clear();
  parts_.added.raw().find(chunk, mode.literal, &buffers.raw);
  for (const Piece& piece : buffers.raw) {
    if (tokens->size() >= mode.limit) return;
    if (piece.id >= 0) {
      tokens->add(piece.id, piece.span.begin, piece.span.end);
    } else {
      tokenize_piece(chunk, piece, mode, tokens);
    }
  }
}

// Appends the tokens of `chunk`, which lies `base` bytes into the text.
void Pipeline::tokenize_chunk(std::string_view chunk, uint32_t base, size_t limit, bool literal,
                              TokenBuffer* tokens) const {
  const size_t before = tokens->size();
  const Mode mode = {.first = base == 0, .literal = literal, .offsets = true, .limit = limit};
  if (is_valid_utf8(chunk)) {
    tokenize_valid(chunk, mode, tokens);
  } else {
    RepairedText& repaired = scratch().repaired;
    repair_utf8(chunk, &repaired);
    tokenize_valid(repaired.text, mode, tokens);
    for (size_t i = before; i < tokens->size(); ++i) {
      Offset& offset = tokens->offsets[i];
      offset = {repaired.origins[offset.begin], repaired.origins[offset.end]};
    }
  }
  for (size_t i = before; base != 0 && i < tokens->size(); ++i) {
    tokens->offsets[i].begin += base;
    tokens->offsets[i].end += base;
  }
}

// Whether a cut behind `text` would move the offsets after it, because the piece that goes on there begins in `text`
// with what the normaliser drops. `starts_piece`: the first piece begins in `text` too.
bool Pipeline::moves_origins(std::string_view text, bool starts_piece, bool literal) const {
  if (parts_.normalizer == nullptr || !parts_.normalizer->may_move_origins() || text.empty()) return false;
  if (!is_valid_utf8(text)) {
    RepairedText& repaired = scratch().repaired;
    repair_utf8(text, &repaired);
    return moves_origins(repaired.text, starts_piece, literal);
  }
  std::vector<Piece>& pieces = scratch().raw;
  pieces.clear();
  parts_.added.raw().find(text, literal, &pieces);
  const Piece& last = pieces.back();
  if (last.id >= 0 || (last.span.begin == 0 && !starts_piece)) return false;
  return parts_.normalizer->moves_origins(text.substr(last.span.begin));
}

// Appends the tokens of text[at, end) until there are `enough` or more; `at` is 0 or a safe place.
void Pipeline::tokenize_on(std::string_view text, size_t at, size_t enough, bool literal, TokenBuffer* tokens) const {
  while (at < text.size() && tokens->size() < enough) {
    size_t end = boundaries_.next(text, at + bytes_for(enough - tokens->size()));
    if (end < text.size() && moves_origins(text.substr(at, end - at), at == 0, literal)) end = text.size();
    tokenize_chunk(text.substr(at, end - at), static_cast<uint32_t>(at), enough, literal, tokens);
    at = end;
  }
}

// The first `enough` tokens of the text or more, or all.
void Pipeline::tokenize_head(std::string_view text, size_t enough, bool literal, TokenBuffer* tokens) const {
  tokens->clear();
  tokenize_on(text, 0, enough, literal, tokens);
}

// The last `enough` tokens of the text or more, or all.
void Pipeline::tokenize_tail(std::string_view text, size_t enough, bool literal, TokenBuffer* tokens) const {
  for (size_t bytes = bytes_for(enough);; bytes *= 2) {
    size_t begin = bytes < text.size() ? boundaries_.previous(text, text.size() - bytes) : 0;
    if (moves_origins(text.substr(0, begin), true, literal)) begin = 0;
    tokens->clear();
    tokenize_chunk(text.substr(begin), static_cast<uint32_t>(begin), kNoLimit, literal, tokens);
    if (begin == 0 || tokens->size() >= enough) return;
  }
}

// More than `budget` tokens from the end that is kept, or all.
void Pipeline::tokenize(std::string_view text, size_t budget, const EncodeOptions& options, TokenBuffer* tokens) const {
  const bool literal = options.literal_special_tokens;
  if (options.truncation_side == TruncationSide::kLeft && budget < kNoLimit) {
    tokenize_tail(text, budget + 1, literal, tokens);
  } else {
    tokenize_head(text, budget + 1, literal, tokens);
  }
}

// For two texts that both have more than `budget` tokens: counts until the shorter one ends.
bool Pipeline::first_is_longer(std::string_view a, std::string_view b, size_t budget, bool literal) const {
  TokenBuffer first, second;
  for (size_t enough = 2 * budget + 2;; enough *= 2) {
    tokenize_head(a, enough, literal, &first);
    tokenize_head(b, enough, literal, &second);
    if (first.size() < enough || second.size() < enough) return first.size() > second.size();
  }
}

size_t Pipeline::budget(const EncodeOptions& options, bool pair) const {
  if (options.max_length <= 0) return kNoLimit;
  const int32_t specials = options.add_special_tokens ? special_count(pair) : 0;
  return static_cast<size_t>(std::max(0, options.max_length - specials));
}

void Pipeline::encode(std::string_view text, const EncodeOptions& options, Encoding* out) const {
  TokenBuffer& tokens = scratch().first;
  const size_t most = budget(options, false);
  tokenize(text, most, options, &tokens);
  out->clear();
  out->truncated = tokens.size() > most;
  const Kept kept[1] = {Kept::of(text, tokens, std::min(most, tokens.size()), options.truncation_side)};
  assemble(parts_.post_processor.single, kept, options, out);
}

void Pipeline::encode_pair(std::string_view a, std::string_view b, const EncodeOptions& options, Encoding* out) const {
  TokenBuffer& first = scratch().first;
  TokenBuffer& second = scratch().second;
  const size_t most = budget(options, true);
  tokenize(a, most, options, &first);
  tokenize(b, most, options, &second);
  const size_t first_size = std::min(first.size(), most + 1);
  const size_t second_size = std::min(second.size(), most + 1);
  bool longer = first_size > second_size;
  if (first_size > most && second_size > most && most % 2 == 1) {
    longer = first_is_longer(a, b, most, options.literal_special_tokens);
  }
  const auto [keep_first, keep_second] = longest_first(first_size, second_size, most, longer);
  out->clear();
  out->truncated = keep_first < first_size || keep_second < second_size;
  const Kept kept[2] = {Kept::of(a, first, keep_first, options.truncation_side),
                        Kept::of(b, second, keep_second, options.truncation_side)};
  assemble(parts_.post_processor.pair, kept, options, out);
}

void Pipeline::assemble(const std::vector<TemplatePiece>& pieces, std::span<const Kept> kept,
                        const EncodeOptions& options, Encoding* out) const {
  for (const TemplatePiece& piece : pieces) {
    if (piece.kind != TemplatePiece::kSpecial) {
      const Kept& part = kept[piece.kind == TemplatePiece::kFirst ? 0 : 1];
      const auto begin = static_cast<std::ptrdiff_t>(part.begin);
      const auto end = static_cast<std::ptrdiff_t>(part.end);
      const TokenBuffer& tokens = *part.tokens;
      if (piece.kind == TemplatePiece::kSecond) {
        out->second_begin = out->ids.size();
        out->second_end = out->second_begin + (part.end - part.begin);
      }
      out->ids.insert(out->ids.end(), tokens.ids.begin() + begin, tokens.ids.begin() + end);
      out->offsets.insert(out->offsets.end(), tokens.offsets.begin() + begin, tokens.offsets.begin() + end);
      const size_t count = part.end - part.begin;
      trimmer_.trim(part.text, std::span(out->ids).last(count), std::span(out->offsets).last(count));
    } else if (options.add_special_tokens) {
      out->ids.insert(out->ids.end(), piece.ids.begin(), piece.ids.end());
      out->offsets.resize(out->ids.size());
    }
    out->type_ids.resize(out->ids.size(), piece.type_id);
    out->special.resize(out->ids.size(), piece.kind == TemplatePiece::kSpecial);
  }
  const auto most = static_cast<size_t>(std::max(0, options.max_length));
  if (most == 0 || out->ids.size() <= most) return;
  out->ids.resize(most);  // the template alone is longer than the limit, or has a text twice
  out->offsets.resize(most);
  out->type_ids.resize(most);
  out->special.resize(most);
  out->second_begin = std::min(out->second_begin, most);
  out->second_end = std::min(out->second_end, most);
}

std::string Pipeline::decode(std::span<const int32_t> ids, bool skip_special_tokens) const {
  std::vector<std::string> tokens;
  for (const int32_t id : ids) {
    if (skip_special_tokens && is_special(id)) continue;
    const std::string_view token = id_to_token(id);
    if (token.empty() && token_to_id("") != id) continue;
    tokens.emplace_back(token);
  }
  if (parts_.decoder != nullptr) parts_.decoder->decode(&tokens);
  std::string text;
  for (const std::string& token : tokens) {
    if (parts_.decoder == nullptr && !text.empty()) text.push_back(' ');
    text.append(token);
  }
  return text;
}

int32_t Pipeline::vocab_size() const { return std::max(parts_.model->vocabulary().end_id(), parts_.added.end_id()); }

std::string_view Pipeline::id_to_token(int32_t id) const {
  const std::string_view added = parts_.added.content(id);
  return added.empty() ? parts_.model->vocabulary().token(id) : added;
}

std::optional<int32_t> Pipeline::token_to_id(std::string_view token) const {
  const std::optional<int32_t> added = parts_.added.id(token);
  return added ? added : parts_.model->vocabulary().id(token);
}

bool Pipeline::is_special(int32_t id) const {
  const std::string_view token = id_to_token(id);
  return !token.empty() && parts_.added.is_special(token);
}

int32_t Pipeline::special_count(bool pair) const {
  return tokenizer::special_count(pair ? parts_.post_processor.pair : parts_.post_processor.single);
}

bool Pipeline::has_type_ids() const {
  const auto& single = parts_.post_processor.single;
  return std::any_of(single.begin(), single.end(), [](const TemplatePiece& piece) { return piece.type_id != 0; });
}

std::optional<int32_t> Pipeline::leading_special() const {
  const auto& single = parts_.post_processor.single;
  return single.empty() || single.front().ids.empty() ? std::nullopt : std::optional(single.front().ids.front());
}

std::optional<int32_t> Pipeline::trailing_special() const {
  const auto& single = parts_.post_processor.single;
  return single.empty() || single.back().ids.empty() ? std::nullopt : std::optional(single.back().ids.back());
}

}  // namespace bouquet::tokenizer
