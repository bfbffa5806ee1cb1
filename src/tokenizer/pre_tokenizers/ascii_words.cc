// Bytes are classified by SSE2 where there is such; the rest is arithmetic on bit masks.
#include "tokenizer/pre_tokenizers/ascii_words.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstring>

namespace bouquet::tokenizer {
namespace {

#ifdef __SSE2__

// Of 64 bytes; `known` are those of ASCII.
AsciiBlock classify(const char* bytes) {
  AsciiBlock block{};
  const auto set = [](int c) { return _mm_set1_epi8(static_cast<char>(c)); };
  const auto in_range = [&](__m128i part, int first, int last) {
    const __m128i from_first = _mm_sub_epi8(part, set(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(from_first, set(last - first)), from_first);
  };
  for (int i = 0; i < 4; ++i) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes) + i);
    const auto put = [i](__m128i found, uint64_t* mask) {
      *mask |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(found))) << (16 * i);
    };
    const __m128i blank = _mm_cmpeq_epi8(part, set(' '));
    put(_mm_cmpgt_epi8(part, set(-1)), &block.known);
    put(in_range(_mm_or_si128(part, set(0x20)), 'a', 'z'), &block.letters);
    put(in_range(part, 'A', 'Z'), &block.uppers);
    put(in_range(part, '0', '9'), &block.digits);
    put(blank, &block.blanks);
    put(_mm_or_si128(blank, in_range(part, '\t', '\r')), &block.spaces);
    put(_mm_or_si128(_mm_cmpeq_epi8(part, set('\n')), _mm_cmpeq_epi8(part, set('\r'))), &block.newlines);
    put(_mm_cmpeq_epi8(part, set('\'')), &block.quotes);
    put(_mm_cmpeq_epi8(part, set('/')), &block.slashes);
  }
  return block;
}

#else

AsciiBlock classify(const char* bytes) {
  AsciiBlock block{};
  for (int i = 0; i < 64; ++i) {
    const char byte = bytes[i];
    const char lower = static_cast<char>(byte | 0x20);
    const auto put = [i](bool found, uint64_t* mask) { *mask |= static_cast<uint64_t>(found) << i; };
    put(static_cast<unsigned char>(byte) < 0x80, &block.known);
    put(lower >= 'a' && lower <= 'z', &block.letters);
    put(byte >= 'A' && byte <= 'Z', &block.uppers);
    put(byte >= '0' && byte <= '9', &block.digits);
    put(byte == ' ', &block.blanks);
    put(byte == ' ' || (byte >= '\t' && byte <= '\r'), &block.spaces);
    put(byte == '\n' || byte == '\r', &block.newlines);
    put(byte == '\'', &block.quotes);
    put(byte == '/', &block.slashes);
  }
  return block;
}

#endif

uint64_t below(int bit) { return bit >= 64 ? ~uint64_t{0} : (uint64_t{1} << bit) - 1; }

// Behind each run of bits of `set` that begins at one of `begins`.
uint64_t ends_of_runs(uint64_t begins, uint64_t set) { return (begins + set) & ~set; }

// White space that another character follows: the last of its run.
uint64_t last_spaces(const AsciiBlock& block) { return block.spaces & (block.known & ~block.spaces) >> 1; }

// Of the spaces behind newlines, where a word begins: \s*[\r\n]+ takes what comes before the last newline of a run.
uint64_t starts_behind_newlines(const AsciiBlock& block) {
  const uint64_t plain = block.spaces & ~block.newlines;
  const uint64_t run_at_end = plain & ~below(64 - std::countl_zero(block.known & ~plain));
  uint64_t starts = plain & block.newlines << 1 & ~run_at_end;
  for (uint64_t again = ends_of_runs(starts, plain) & block.newlines; again != 0; again &= again - 1) {
    const uint64_t before = starts & below(std::countr_zero(again));
    starts ^= std::bit_floor(before);
  }
  return starts;
}

// \p{N}{1,kDigits}
template <uint32_t kDigits>
uint64_t number_starts(uint64_t digits) {
  static_assert(kDigits == 1 || kDigits == 3);
  if constexpr (kDigits == 1) return digits;
  uint64_t starts = digits & ~(digits << 1);
  const uint64_t fourths = digits & digits << 1 & digits << 2;
  for (uint64_t next = starts << 3 & fourths; next != 0; next = next << 3 & fourths) starts |= next;
  return starts;
}

struct Starts {
  uint64_t words, other_runs;  // of others that no blank goes with
};

// [^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,kDigits}| ?[^\s\p{L}\p{N}]+T*|\s*[\r\n]+|\s+(?!\S)|\s+, where T are the characters
// of `tail`: newlines, and perhaps others that are neither white space, letters nor numbers.
template <uint32_t kDigits>
Starts starts_of_runs(const AsciiBlock& block, uint64_t tail) {
  const uint64_t taken = block.others() << 1 & block.newlines;  // by what stands before them
  const uint64_t tails = taken | (tail & ~(taken + tail));
  const uint64_t others = block.others() & ~tails;
  const uint64_t other_runs = others & ~(others << 1) & ~(block.blanks << 1);
  const uint64_t joined = (block.spaces & ~block.newlines) | other_runs;  // with letters that follow
  uint64_t words = other_runs | (block.letters & ~(block.letters << 1) & ~(joined << 1));
  words |= (block.spaces & ~(block.spaces << 1) & ~tails) | (last_spaces(block) & ~block.newlines);
  words |= ends_of_runs(taken, tail) | starts_behind_newlines(block) | 1;
  return {words | number_starts<kDigits>(block.digits), other_runs};
}

bool knows(const AsciiBlock& block, int at) { return at < 64 && (block.known >> at & 1) != 0; }

// NUL where the block does not know it.
char byte_of(const char* text, const AsciiBlock& block, int at) { return knows(block, at) ? text[at] : '\0'; }

// (?i:'s|...) at the quote at `at`; 0 when it is none of those.
uint32_t any_case_length(const char* text, const AsciiBlock& block, int at) {
  const auto lower = [&](int i) { return static_cast<char>(byte_of(text, block, i) | 0x20); };
  return contraction_length(lower(at + 1), lower(at + 2));
}

}  // namespace

AsciiBlock ascii_block(std::string_view text) {
  AsciiBlock block;
  if (text.size() >= 64) {
    block = classify(text.data());
    if (block.known == ~uint64_t{0}) return block;
  } else {
    char bytes[64] = {};
    std::memcpy(bytes, text.data(), text.size());
    block = classify(bytes);
    block.known &= below(static_cast<int>(text.size()));
  }
  block.known = below(std::countr_one(block.known));
  for (uint64_t* mask : {&block.letters, &block.uppers, &block.digits, &block.spaces, &block.newlines, &block.blanks,
                         &block.quotes, &block.slashes}) {
    *mask &= block.known;
  }
  return block;
}

// '(?:s|t|...)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
uint64_t gpt2_starts(const char* text, const AsciiBlock& block) {
  const uint64_t others = block.others(), behind_blank = block.blanks << 1;
  const auto runs = [](uint64_t set) { return set & ~(set << 1); };
  const uint64_t words = (runs(block.letters) | runs(block.digits) | runs(others)) & ~behind_blank;
  uint64_t starts = words | runs(block.spaces) | last_spaces(block) | 1;
  for (uint64_t quotes = block.quotes & words & block.letters >> 1; quotes != 0; quotes &= quotes - 1) {
    const int at = std::countr_zero(quotes);
    const uint32_t length = contraction_length(byte_of(text, block, at + 1), byte_of(text, block, at + 2));
    if (length == 0 && knows(block, at + 2)) continue;
    starts &= ~(uint64_t{2} << at);
    starts |= (uint64_t{1} << at << length) & block.known;
  }
  return starts;
}

// (?i:'s|...)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
template <uint32_t kDigits>
uint64_t cl100k_starts(const char* text, const AsciiBlock& block) {
  auto [starts, other_runs] = starts_of_runs<kDigits>(block, block.newlines);
  for (uint64_t quotes = block.quotes & other_runs & block.letters >> 1; quotes != 0; quotes &= quotes - 1) {
    const int at = std::countr_zero(quotes);
    const uint32_t length = any_case_length(text, block, at);
    if (length > 0) starts |= uint64_t{1} << at << length;
  }
  return starts & block.known;
}

template uint64_t cl100k_starts<1>(const char* text, const AsciiBlock& block);
template uint64_t cl100k_starts<3>(const char* text, const AsciiBlock& block);

// [^\r\n\p{L}\p{N}]?(?:[A-Z]*[a-z]+|[A-Z]+)(?i:'s|...)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|...
template <uint32_t kDigits, bool kContractions>
uint64_t o200k_starts(const char* text, const AsciiBlock& block) {
  const uint64_t lowers = block.letters & ~block.uppers;
  uint64_t starts = starts_of_runs<kDigits>(block, block.newlines | block.slashes).words | (block.uppers & lowers << 1);
  int end = 0;  // of the contraction before
  for (uint64_t quotes = kContractions ? block.quotes & block.letters << 1 : 0; quotes != 0; quotes &= quotes - 1) {
    const int at = std::countr_zero(quotes);
    const uint32_t length = any_case_length(text, block, at);
    if (at == end || (length == 0 && knows(block, at + 2))) continue;
    starts &= ~(uint64_t{7} << at);
    if (length > 0) starts |= uint64_t{1} << at << length;
    end = at + static_cast<int>(length);
  }
  return starts & block.known;
}

template uint64_t o200k_starts<1, false>(const char* text, const AsciiBlock& block);
template uint64_t o200k_starts<3, true>(const char* text, const AsciiBlock& block);

}  // namespace bouquet::tokenizer
