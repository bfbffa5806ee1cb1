// A text and its normalised form, with the place in the original every normalised byte comes from.
//
// A normaliser reads view(), writes the new form with begin_stage / put and ends with commit(); or, where bytes are
// only replaced one for one, uses begin_in_place and commit_in_place(). Buffers are kept from text to text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {

// One character of the next form, and how it comes about, as `tokenizers` counts: 0 in place of the next character of
// the form before; 1 put in beside it; -n in its place, and n more go with it.
struct CharChange {
  char32_t code;
  int32_t change;
};

class NormalizedText {
 public:
  // `original` is well-formed UTF-8 and must outlive the use of this object. `first`: the text begins with it.
  void reset(std::string_view original, bool first = true) {
    original_ = original;
    view_ = original;
    identity_ = true;
    first_ = first;
  }

  // Whether byte `at` comes from the start of the whole text.
  bool is_first(size_t at) const { return first_ && original_begin(at) == 0; }

  std::string_view original() const { return original_; }
  std::string_view view() const { return view_; }

  // The origin of what comes from no character but stands before all of them.
  static constexpr uint32_t kBeforeText = 0xFFFFFFFF;

  // Start, in the original, of the character that normalised byte `at` comes from.
  uint32_t origin(size_t at) const { return identity_ ? static_cast<uint32_t>(at) : origins_[at]; }

  // The original bytes of the normalised bytes [begin, end), which are whole characters and not empty.
  uint32_t original_begin(size_t begin) const { return origin(begin) == kBeforeText ? 0 : origin(begin); }
  uint32_t original_end(size_t end) const {
    if (identity_) return static_cast<uint32_t>(end);
    const uint32_t last = origins_[end - 1];
    if (last == kBeforeText) return 0;
    return last + utf8_length(original_[last]);
  }

  // A buffer of view().size() bytes: byte i of the next form, if it comes from byte i of view().
  char* begin_in_place();
  void commit_in_place();

  // Starts the next form with the first `kept` bytes of the buffer of begin_in_place().
  void begin_stage(size_t kept = 0);
  void put(char32_t code, uint32_t origin);
  // Well-formed UTF-8, all of it with one origin.
  void put(std::string_view text, uint32_t origin);
  // Room for `count` bytes, whole characters, that come one for one from those of view() from `at` on; the caller fills
  // it.
  char* put_run(size_t at, size_t count);
  // The bytes of view() from `at` on as they are.
  void copy_run(size_t at, size_t count) { view_.copy(put_run(at, count), count, at); }
  // Bytes put so far.
  uint32_t staged() const { return static_cast<uint32_t>(next_bytes_.size()); }
  void commit();

  // Puts one character where the form before is read up to `at`, which goes on as the change says. What stands beside
  // a character takes the origin of the one before.
  void put_change(CharChange change, size_t* at);

  // The next form as a whole.
  void transform(const std::vector<CharChange>& changes);

 private:
  std::string_view original_, view_;
  bool identity_ = true;  // byte i comes from byte i
  bool first_ = true;
  std::string bytes_, next_bytes_;
  std::vector<uint32_t> origins_, next_origins_;
};

}  // namespace bouquet::tokenizer
