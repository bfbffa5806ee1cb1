// encode_ids: the text in pieces whose ids are looked up in a cache before they are tokenized.
//
// The pieces are the words, where those of one spelling have the same tokens everywhere and are cheaply found; else
// chunks between safe places, so that what is known need not even be normalised.
#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "tokenizer/pipeline.h"

namespace bouquet::tokenizer {
namespace {

constexpr size_t kBlock = 32;            // pieces whose slots are fetched from memory at a time
constexpr size_t kMostAtOnce = 8 << 10;  // bytes of text

constexpr uint8_t kFirstOfText = 1, kLiteral = 2;  // kinds of chunks

size_t size_of(const Piece& piece) { return piece.span.end - piece.span.begin; }

// Buffers of one thread, kept from text to text.
struct Buffers {
  std::vector<int32_t> ids;
  std::vector<Piece> raw;
  TokenBuffer tokens;
  Encoding encoding;
};

Buffers& buffers() {
  thread_local Buffers kept;
  return kept;
}

// Ids at the start of an array that is longer, so that those of a piece can be written without looking.
struct Ids {
  std::vector<int32_t>& array;
  size_t size = 0;

  int32_t* room_for(size_t more) {
    if (array.size() < size + more) array.resize(2 * (size + more));
    return array.data() + size;
  }
  void append(const std::vector<int32_t>& ids) {
    std::copy(ids.begin(), ids.end(), room_for(ids.size()));
    size += ids.size();
  }
};

}  // namespace

// Ids of one text on their way.
struct Pipeline::IdRun {
  std::string_view text;
  bool literal;
  size_t enough;  // ids after which to stop
  IdCache& cache;
  Ids ids{buffers().ids};

  bool done() const { return ids.size >= enough; }

  // `tokenize(piece)` puts the tokens of one that the cache does not have into buffers().tokens, which is empty.
  template <typename Tokenize>
  void look_up(std::string_view from, std::span<const Piece> pieces, uint8_t kind, const Tokenize& tokenize) {
    std::array<IdCache::Key, kBlock> keys;
    while (!pieces.empty() && !done()) {
      const std::span<const Piece> block = pieces.first(std::min(kBlock, pieces.size()));
      pieces = pieces.subspan(block.size());
      for (size_t i = 0; i < block.size(); ++i) {
        if (block[i].id >= 0 || size_of(block[i]) > IdCache::kLongestText) continue;
        const size_t begin = block[i].span.begin;
        cache.make_key(from.substr(begin, size_of(block[i])), from.size() - begin, kind, &keys[i]);
      }
      ids.room_for(kBlock * IdCache::kMostIds);
      for (size_t i = 0; i < block.size() && !done(); ++i) {
        int32_t* const out = ids.array.data() + ids.size;
        if (block[i].id >= 0) {
          *out = block[i].id;
          ++ids.size;
          continue;
        }
        const std::string_view bytes = from.substr(block[i].span.begin, size_of(block[i]));
        const int32_t found = bytes.size() > IdCache::kLongestText ? -1 : cache.find(keys[i], bytes, out);
        if (found >= 0) {
          ids.size += static_cast<size_t>(found);
          continue;
        }
        TokenBuffer& tokens = buffers().tokens;
        tokens.clear();
        tokenize(block[i]);
        if (bytes.size() <= IdCache::kLongestText) cache.put(keys[i], bytes, tokens.ids);
        ids.append(tokens.ids);
        ids.room_for(kBlock * IdCache::kMostIds);
      }
    }
  }
};

// Ids of text[at, end) by its words. Both places are safe, or the text's ends.
void Pipeline::append_words(size_t at, size_t end, IdRun* run) const {
  const std::string_view part = run->text.substr(at, end - at);
  std::vector<Piece>& raw = buffers().raw;
  raw.clear();
  parts_.added.raw().find(part, run->literal, &raw);
  for (const Piece& piece : raw) {
    if (piece.id >= 0) {
      run->look_up(part, std::span(&piece, 1), 0, [](const Piece&) {});
      continue;
    }
    const Mode mode = {.first = at == 0, .literal = run->literal, .offsets = false, .limit = kNoLimit};
    const Words words = words_of(part, piece, mode);
    run->look_up(words.text, words.pieces, 0, [&](const Piece& word) {
      parts_.model->tokenize(words.text, std::span(&word, 1), run->enough - run->ids.size, &buffers().tokens);
    });
  }
}

// The same by chunks.
void Pipeline::append_chunks(size_t at, size_t end, IdRun* run) const {
  const std::string_view text = run->text.substr(0, end);
  const uint8_t literal = run->literal ? kLiteral : 0;
  std::array<Piece, kBlock> chunks;
  while (at < end && !run->done()) {
    const size_t count = at == 0 ? 1 : kBlock;
    const std::span<const Piece> some = boundaries_.chunks(text, at, std::span(chunks).first(count));
    const auto kind = static_cast<uint8_t>(literal | (at == 0 ? kFirstOfText : 0));
    run->look_up(text, some, kind, [&](const Piece& chunk) {
      const size_t limit = run->enough - run->ids.size;
      const Mode mode = {.first = at == 0, .literal = run->literal, .offsets = false, .limit = limit};
      tokenize_valid(text.substr(chunk.span.begin, size_of(chunk)), mode, &buffers().tokens);
    });
    at = some.back().span.end;
  }
}

// False where the text is not well-formed UTF-8.
bool Pipeline::append_ids(IdRun* run) const {
  for (size_t at = 0, end = 0; at < run->text.size() && !run->done(); at = end) {
    const size_t bytes = std::min(bytes_for(run->enough - run->ids.size), kMostAtOnce);
    end = boundaries_.next(run->text, at + bytes);
    if (!is_valid_utf8(run->text.substr(at, end - at))) return false;
    if (caches_words_) {
      append_words(at, end, run);
    } else {
      append_chunks(at, end, run);
    }
  }
  return true;
}

bool Pipeline::encode_ids(std::string_view text, const EncodeOptions& options, std::vector<int32_t>* out) const {
  const size_t most = budget(options, false);
  const bool from_end = options.truncation_side == TruncationSide::kLeft && most < kNoLimit;
  const IdCachePool::Lease cache(&caches_);
  IdRun run{text, options.literal_special_tokens, most + 1, *cache};
  const bool in_pieces = !from_end && (caches_words_ || !boundaries_.nowhere());
  if (!in_pieces || !append_ids(&run)) {
    Encoding& encoding = buffers().encoding;
    encode(text, options, &encoding);
    out->assign(encoding.ids.begin(), encoding.ids.end());
    return encoding.truncated;
  }
  const auto ids = std::span(run.ids.array).first(std::min(run.ids.size, most));
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
  return run.ids.size > most;
}

}  // namespace bouquet::tokenizer
