// encode_ids: the text in chunks between safe places, each looked up in a cache before it is tokenized.
#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "tokenizer/pipeline.h"

namespace bouquet::tokenizer {
namespace {

constexpr size_t kBlock = 32;  // chunks whose slots are fetched from memory at a time

enum ChunkKind : uint8_t { kFirstOfText = 1, kLiteral = 2 };

// Buffers of one thread, kept from text to text.
struct Buffers {
  std::vector<int32_t> ids;
  TokenBuffer tokens;
  Encoding encoding;
};

Buffers& buffers() {
  thread_local Buffers kept;
  return kept;
}

}  // namespace

// Ids at the start of an array that is longer, so that a chunk's can be written without looking.
struct Pipeline::Ids {
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

// Ids of text[at, end) until there are `enough` or more; `at` is 0 or a safe place.
void Pipeline::append_ids(std::string_view text, size_t at, size_t enough, bool literal, Ids* ids) const {
  const IdCachePool::Lease cache(&caches_);
  std::array<uint32_t, kBlock> ends;
  std::array<IdCache::Key, kBlock> keys;
  while (at < text.size() && ids->size < enough) {
    const size_t count = boundaries_.chunk_ends(text, at, ends);
    for (size_t i = 0, begin = at; i < count; begin = ends[i++]) {
      if (ends[i] - begin > IdCache::kLongestText) continue;
      const auto kind = static_cast<uint8_t>((begin == 0 ? kFirstOfText : 0) | (literal ? kLiteral : 0));
      (*cache).make_key(text.substr(begin, ends[i] - begin), text.size() - begin, kind, &keys[i]);
    }
    ids->room_for(kBlock * IdCache::kMostIds);
    for (size_t i = 0; i < count && ids->size < enough; at = ends[i++]) {
      const std::string_view chunk = text.substr(at, ends[i] - at);
      if (chunk.size() > IdCache::kLongestText) {
        append_long_chunk(text.substr(0, ends[i]), at, enough, literal, ids);
        ids->room_for((count - i) * IdCache::kMostIds);
        continue;
      }
      const int32_t found = (*cache).find(keys[i], chunk, ids->array.data() + ids->size);
      if (found >= 0) {
        ids->size += static_cast<size_t>(found);
      } else {
        append_new_chunk(chunk, at, keys[i], literal, &*cache, ids);
        ids->room_for((count - i) * IdCache::kMostIds);
      }
    }
  }
}

// text[at, end), too long for the cache.
void Pipeline::append_long_chunk(std::string_view text, size_t at, size_t enough, bool literal, Ids* ids) const {
  TokenBuffer& tokens = buffers().tokens;
  tokens.clear();
  tokenize_on(text, at, enough - ids->size, literal, &tokens);
  ids->append(tokens.ids);
}

// A chunk that the cache does not have but will.
void Pipeline::append_new_chunk(std::string_view chunk, size_t at, const IdCache::Key& key, bool literal,
                                IdCache* cache, Ids* ids) const {
  TokenBuffer& tokens = buffers().tokens;
  tokens.clear();
  tokenize_valid(chunk, {.first = at == 0, .literal = literal, .offsets = false, .limit = kNoLimit}, &tokens);
  cache->put(key, chunk, tokens.ids);
  ids->append(tokens.ids);
}

bool Pipeline::encode_ids(std::string_view text, const EncodeOptions& options, std::vector<int32_t>* out) const {
  const size_t most = budget(options, false);
  const bool from_end = options.truncation_side == TruncationSide::kLeft && most < kNoLimit;
  if (from_end || boundaries_.nowhere() || !is_valid_utf8(text)) {
    Encoding& encoding = buffers().encoding;
    encode(text, options, &encoding);
    out->assign(encoding.ids.begin(), encoding.ids.end());
    return encoding.truncated;
  }
  Ids ids{buffers().ids};
  append_ids(text, 0, most + 1, options.literal_special_tokens, &ids);
  out->clear();
  for (const TemplatePiece& piece : parts_.post_processor.single) {
    if (piece.kind != TemplatePiece::kSpecial) {
      const auto begin = ids.array.begin();
      out->insert(out->end(), begin, begin + static_cast<std::ptrdiff_t>(std::min(ids.size, most)));
    } else if (options.add_special_tokens) {
      out->insert(out->end(), piece.ids.begin(), piece.ids.end());
    }
  }
  if (options.max_length > 0 && out->size() > static_cast<size_t>(options.max_length)) {
    out->resize(static_cast<size_t>(options.max_length));
  }
  return ids.size > most;
}

}  // namespace bouquet::tokenizer
