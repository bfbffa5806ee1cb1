// encode_ids: the text in pieces whose ids are looked up in a cache before they are tokenized.
//
// The pieces are the words, where those of one spelling have the same tokens everywhere and are cheaply found; else
// chunks between safe places, so that what is known need not even be normalised.
#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "tokenizer/id_run.h"
#include "tokenizer/pipeline.h"

namespace bouquet::tokenizer {
namespace {

constexpr size_t kMostAtOnce = 8 << 10;  // bytes of text

constexpr uint8_t kFirstOfText = 1, kLiteral = 2;  // kinds of chunks

// Buffers of one thread, kept from text to text.
struct Buffers {
  std::vector<int32_t> ids;
  std::vector<Piece> raw, parts, prepared, fresh;
  std::vector<IdCache::Key> prepared_keys, fresh_keys;
  std::vector<size_t> ends;
  TokenBuffer tokens;
  Encoding encoding;
};

Buffers& buffers() {
  thread_local Buffers kept;
  return kept;
}

}  // namespace

struct Pipeline::Input {
  std::string_view text;
  bool literal;  // special tokens in it are ordinary text
};

// Parts of words, or words that are one part.
struct Pipeline::PartMaker {
  const Model& model;
  std::string_view text;
  IdRun* run;

  // Tokenizes those that are new all at once: then they need not wait for memory one after the other.
  void prepare(std::span<const Piece> parts, const IdCache::Key* keys) const {
    std::vector<Piece>& fresh = buffers().fresh;
    std::vector<IdCache::Key>& fresh_keys = buffers().fresh_keys;
    fresh.clear();
    fresh_keys.clear();
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!IdCache::keeps(parts[i]) || run->has(text, parts[i], keys[i])) continue;
      fresh.push_back(parts[i]);
      fresh_keys.push_back(keys[i]);
    }
    TokenBuffer& tokens = buffers().tokens;
    std::vector<size_t>& ends = buffers().ends;
    tokens.clear();
    ends.clear();
    model.tokenize_each(text, fresh, &tokens, &ends);
    for (size_t i = 0, begin = 0; i < fresh.size(); begin = ends[i++]) {
      const std::string_view bytes = text_of(text, fresh[i].span);
      run->cache.put(fresh_keys[i], bytes, std::span(tokens.ids).subspan(begin, ends[i] - begin));
    }
  }

  bool make(const Piece& part) const {
    TokenBuffer& tokens = buffers().tokens;
    tokens.clear();
    model.tokenize(text, std::span(&part, 1), kNoLimit, &tokens);
    run->append(tokens.ids);
    return true;
  }
};

// Words, which are looked up by their parts.
struct Pipeline::WordMaker {
  PartMaker maker;

  // Words that are too long for the cache see to their parts as they come.
  void prepare(std::span<const Piece> words, const IdCache::Key* keys) const {
    std::vector<Piece>& parts = buffers().prepared;
    std::vector<IdCache::Key>& part_keys = buffers().prepared_keys;
    parts.clear();
    part_keys.clear();
    for (size_t i = 0; i < words.size(); ++i) {
      if (!IdCache::keeps(words[i]) || maker.run->has(maker.text, words[i], keys[i])) continue;
      const size_t before = parts.size();
      add_parts(words[i].span, IdCache::kLongestText, &parts);
      part_keys.resize(parts.size(), keys[i]);
      const std::span<const Piece> added = std::span(parts).subspan(before);
      if (added.size() > 1) maker.run->cache.fetch(maker.text, added, 0, part_keys.data() + before);
    }
    maker.prepare(parts, part_keys.data());
  }

  bool make(const Piece& word) const {
    std::vector<Piece>& parts = buffers().parts;
    for (Span rest = word.span; rest.begin < rest.end; rest.begin = parts.back().span.end) {
      parts.clear();
      add_parts(rest, IdRun::kBlock, &parts);
      if (parts[0].span == word.span) return maker.make(word);
      if (!maker.run->look_up(maker.text, parts, 0, maker)) return false;
    }
    return true;
  }

  // Up to `most` parts of a word, or of the rest of one.
  void add_parts(Span rest, size_t most, std::vector<Piece>* parts) const {
    for (; rest.begin < rest.end && most > 0; --most) {
      parts->push_back({{rest.begin, maker.model.part_end(maker.text, rest)}});
      rest.begin = parts->back().span.end;
    }
  }
};

// Ids of text[at, end) by its words. Both places are safe, or the text's ends.
void Pipeline::append_words(const Input& input, size_t at, size_t end, IdRun* run) const {
  const std::string_view part = input.text.substr(at, end - at);
  std::vector<Piece>& raw = buffers().raw;
  raw.clear();
  parts_.added.raw().find(part, input.literal, &raw);
  for (const Piece& piece : raw) {
    if (run->done()) return;
    if (piece.id >= 0) {
      run->append(std::span(&piece.id, 1));
      continue;
    }
    const Mode mode = {.first = at == 0, .literal = input.literal, .offsets = false, .limit = kNoLimit};
    const Words words = words_of(part, piece, mode);
    run->look_up(words.text, words.pieces, 0, WordMaker{{*parts_.model, words.text, run}});
  }
}

// Chunks between safe places.
struct Pipeline::ChunkMaker {
  const Pipeline& pipeline;
  const Input& input;
  bool first;
  IdRun* run;

  void prepare(std::span<const Piece>, const IdCache::Key*) const {}

  bool make(const Piece& chunk) const {
    const size_t limit = IdCache::keeps(chunk) ? kNoLimit : run->missing();
    const Mode mode = {.first = first, .literal = input.literal, .offsets = false, .limit = limit};
    TokenBuffer& tokens = buffers().tokens;
    tokens.clear();
    pipeline.tokenize_valid(text_of(input.text, chunk.span), mode, &tokens);
    run->append(tokens.ids);
    return true;
  }
};

// Ids of text[at, end) by chunks.
void Pipeline::append_chunks(const Input& input, size_t at, size_t end, IdRun* run) const {
  const std::string_view text = input.text.substr(0, end);
  const uint8_t literal = input.literal ? kLiteral : 0;
  std::array<Piece, IdRun::kBlock> chunks;
  while (at < end && !run->done()) {
    const bool first = at == 0;
    const auto kind = static_cast<uint8_t>(literal | (first ? kFirstOfText : 0));
    const std::span<const Piece> some =
        boundaries_.chunks(text, at, std::span(chunks).first(first ? 1 : IdRun::kBlock));
    run->look_up(text, some, kind, ChunkMaker{*this, input, first, run});
    at = some.back().span.end;
  }
}

// False where the text is not well-formed UTF-8.
bool Pipeline::append_ids(const Input& input, IdRun* run) const {
  for (size_t at = 0, end = 0; at < input.text.size() && !run->done(); at = end) {
    const size_t bytes = std::min(bytes_for(run->missing()), kMostAtOnce);
    end = boundaries_.next(input.text, at + bytes);
    if (!is_valid_utf8(input.text.substr(at, end - at))) return false;
    if (caches_words_) {
      append_words(input, at, end, run);
    } else {
      append_chunks(input, at, end, run);
    }
  }
  return true;
}

bool Pipeline::encode_uncached(std::string_view text, const EncodeOptions& options, std::vector<int32_t>* out) const {
  Encoding& encoding = buffers().encoding;
  encode(text, options, &encoding);
  out->assign(encoding.ids.begin(), encoding.ids.end());
  return encoding.truncated;
}

bool Pipeline::encode_ids(std::string_view text, const EncodeOptions& options, std::vector<int32_t>* out) const {
  const size_t most = budget(options, false);
  const bool from_end = options.truncation_side == TruncationSide::kLeft && most < kNoLimit;
  if (from_end || !keeps_ids()) return encode_uncached(text, options, out);
  const IdCachePool::Lease cache(&caches_);
  IdRun run{most + 1, *cache, buffers().ids};
  if (!append_ids({text, options.literal_special_tokens}, &run)) return encode_uncached(text, options, out);
  const auto ids = std::span(run.array).first(std::min(run.size, most));
  out->clear();
  for (const TemplatePiece& piece : parts_.post_processor.single) {
    if (piece.kind != TemplatePiece::kSpecial) {
      out->insert(out->end(), ids.begin(), ids.end());
    } else if (options.add_special_tokens) {
      out->insert(out->end(), piece.ids.begin(), piece.ids.end());
    }
  }
  if (options.max_length > 0 && out->size() > static_cast<size_t>(options.max_length)) {
    out->resize(static_cast<size_t>(options.max_length));
  }
  return run.size > most;
}

}  // namespace bouquet::tokenizer
