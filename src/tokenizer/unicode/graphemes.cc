// The rules in the order of UAX #29; regional indicators need none here, for two of them are 8 bytes.
#include "tokenizer/unicode/graphemes.h"

#include <cstdint>

#include "tokenizer/unicode/code_point_flags.h"
#include "tokenizer/unicode/grapheme_tables.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

constexpr char32_t kZwnj = 0x200C, kZwj = 0x200D;

enum GraphemeFlag : uint16_t {
  kJoins = 1,       // never begins a cluster behind anything but a control (Extend, SpacingMark, ZWJ)
  kExtends = 2,     // may stand between a pictograph and a joiner (Extend)
  kControl = 4,     // stands alone
  kPrepends = 8,    // takes what follows
  kConsonant = 16,  // of a script whose linkers join consonants (InCB)
  kLinker = 32,
  kPictograph = 64,
};

CodePointFlags read_tables() {
  CodePointFlags flags;
  flags.add_ranges(kJoinRanges, kJoins);
  flags.add_ranges(kExtendRanges, kExtends);
  flags.add_ranges(kControlRanges, kControl);
  flags.add_ranges(kPrependRanges, kPrepends);
  flags.add_ranges(kConsonantRanges, kConsonant);
  flags.add_ranges(kLinkerRanges, kLinker);
  flags.add_ranges(kPictographRanges, kPictograph);
  return flags;
}

// Built at first use, never destroyed.
const CodePointFlags& table() {
  static const CodePointFlags* const flags = new CodePointFlags(read_tables());
  return *flags;
}

// May stand between a consonant and a linker (InCB Extend), or is a linker.
bool is_conjunct(char32_t code, uint16_t flags) { return code == kZwj || ((flags & kExtends) != 0 && code != kZwnj); }

// Hangul: GB6 to GB8.
enum class Jamo : uint8_t { kNone, kLeading, kVowel, kTrailing, kLv, kLvt };

Jamo jamo_of(char32_t code) {
  if (code < 0x1100 || code > 0xD7FB) return Jamo::kNone;
  if (code <= 0x115F || (code >= 0xA960 && code <= 0xA97C)) return Jamo::kLeading;
  if (code <= 0x11A7 || (code >= 0xD7B0 && code <= 0xD7C6)) return Jamo::kVowel;
  if (code <= 0x11FF || code >= 0xD7CB) return Jamo::kTrailing;
  if (code < 0xAC00 || code > 0xD7A3) return Jamo::kNone;
  return (code - 0xAC00) % 28 == 0 ? Jamo::kLv : Jamo::kLvt;
}

bool jamos_join(Jamo left, Jamo right) {
  if (right == Jamo::kNone) return false;
  if (left == Jamo::kLeading) return right != Jamo::kTrailing;
  if (left == Jamo::kLv || left == Jamo::kVowel) return right == Jamo::kVowel || right == Jamo::kTrailing;
  return (left == Jamo::kLvt || left == Jamo::kTrailing) && right == Jamo::kTrailing;
}

// What has been read of a cluster.
class Cluster {
 public:
  explicit Cluster(char32_t code) { add(code, table()[code]); }

  // Whether `code` goes on with it.
  bool takes(char32_t code, uint16_t flags) const {
    if ((last_ & kControl) != 0) return last_code_ == '\r' && code == '\n';
    if ((flags & kControl) != 0) return false;
    if ((flags & kJoins) != 0 || (last_ & kPrepends) != 0) return true;
    if (linked_ && (flags & kConsonant) != 0) return true;
    if (picture_ && last_code_ == kZwj && (flags & kPictograph) != 0) return true;
    return jamos_join(jamo_of(last_code_), jamo_of(code));
  }

  void add(char32_t code, uint16_t flags) {
    if ((flags & kConsonant) != 0) {
      consonant_ = true;
      linked_ = false;
    } else {
      consonant_ = consonant_ && is_conjunct(code, flags);
      linked_ = consonant_ && (linked_ || (flags & kLinker) != 0);
    }
    picture_ =
        (flags & kPictograph) != 0 || (picture_ && last_code_ != kZwj && ((flags & kExtends) != 0 || code == kZwj));
    last_ = flags;
    last_code_ = code;
  }

 private:
  char32_t last_code_ = 0;
  uint16_t last_ = 0;
  bool consonant_ = false;  // a consonant, and since then only linkers and what may stand between
  bool linked_ = false;     // ... a linker among them
  bool picture_ = false;    // a pictograph, and since then only what extends it, or one joiner
};

}  // namespace

bool stands_apart(char32_t code) {
  const Jamo jamo = jamo_of(code);
  const bool is_part = jamo != Jamo::kNone && jamo != Jamo::kLv && jamo != Jamo::kLvt;
  return !is_part && (table()[code] & (kJoins | kControl | kPrepends)) == 0;
}

size_t grapheme_end(std::string_view text, size_t at) {
  const Utf8Char first = utf8_at(text, at);
  size_t end = at + first.length;
  Cluster cluster(first.code);
  while (end < text.size()) {
    const Utf8Char next = utf8_at(text, end);
    const uint16_t flags = table()[next.code];
    if (!cluster.takes(next.code, flags)) break;
    cluster.add(next.code, flags);
    end += next.length;
  }
  return end;
}

}  // namespace bouquet::tokenizer
