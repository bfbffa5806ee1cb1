// Characters are decomposed, marks ordered and pairs composed, but only around those that may not be in the form yet.
#include "tokenizer/unicode/normal_form.h"

#include <algorithm>
#include <cstring>

#include "tokenizer/unicode/hangul.h"
#include "tokenizer/unicode/mark_order.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

// The first byte at or after `at` that is not ASCII.
size_t skip_ascii(std::string_view text, size_t at) {
  for (uint64_t word = 0; at + sizeof(word) <= text.size(); at += sizeof(word)) {
    std::memcpy(&word, text.data() + at, sizeof(word));
    if ((word & 0x8080808080808080) != 0) break;
  }
  while (at < text.size() && is_ascii(text[at])) ++at;
  return at;
}

// Neither changes nor moves, nor does anything before it because of it.
bool is_inert(const NormalFormData::Record& record) { return !record.changes && record.combining_class == 0; }

// Each run of marks.
void order_all_marks(std::vector<FormChar>* chars) {
  thread_local std::vector<FormChar> spare;
  const auto is_mark = [](const FormChar& c) { return c.combining_class != 0; };
  for (auto begin = chars->begin(); begin != chars->end();) {
    begin = std::find_if(begin, chars->end(), is_mark);
    const auto end = std::find_if_not(begin, chars->end(), is_mark);
    order_marks(std::span(begin, end), &spare);
    begin = end;
  }
}

template <NormalForm::Kind kind>
const NormalForm& built_once() {
  static const NormalForm* const form = new NormalForm(kind);
  return *form;
}

}  // namespace

NormalForm::NormalForm(Kind kind)
    : composes_(kind == kNfc || kind == kNfkc),
      data_(make_normal_form_data(composes_, kind == kNfkc || kind == kNfkd)) {}

const NormalForm& NormalForm::get(Kind kind) {
  if (kind == kNfc) return built_once<kNfc>();
  if (kind == kNfd) return built_once<kNfd>();
  return kind == kNfkc ? built_once<kNfkc>() : built_once<kNfkd>();
}

Stretch NormalForm::next(std::string_view text, size_t from) const {
  size_t begin = from;     // of the last character that is inert
  uint8_t last_class = 0;  // of the character before
  for (size_t at = from; at < text.size();) {
    if (is_ascii(text[at])) {
      at = skip_ascii(text, at);
      begin = at - 1;
      last_class = 0;
      continue;
    }
    const Utf8Char here = utf8_at(text, at);
    const NormalFormData::Record& record = data_.record(here.code);
    if (is_inert(record)) {
      begin = at;
    } else if (record.changes || record.combining_class < last_class) {
      return {begin, end_of_stretch(text, at + here.length)};
    }
    last_class = record.combining_class;
    at += here.length;
  }
  return {text.size(), text.size()};
}

size_t NormalForm::end_of_stretch(std::string_view text, size_t at) const {
  while (at < text.size() && !is_ascii(text[at])) {
    const Utf8Char here = utf8_at(text, at);
    if (is_inert(data_.record(here.code))) break;
    at += here.length;
  }
  return at;
}

void NormalForm::rewrite(std::string_view stretch, std::vector<FormChar>* chars) const {
  chars->clear();
  for (size_t at = 0; at < stretch.size();) {
    const Utf8Char here = utf8_at(stretch, at);
    decompose(here.code, chars);
    at += here.length;
  }
  order_all_marks(chars);
  if (composes_) compose(chars);
}

void NormalForm::decompose(char32_t code, std::vector<FormChar>* chars) const {
  int32_t change = 0;  // the first part takes the character's place, the others stand beside it
  const auto add = [&](char32_t part, uint8_t combining_class) {
    chars->push_back({part, combining_class, change});
    change = 1;
  };
  if (hangul::is_syllable(code)) {
    hangul::decompose(code, [&](char32_t part) { add(part, 0); });
    return;
  }
  const NormalFormData::Record& record = data_.record(code);
  if (record.length == 0) add(code, record.combining_class);
  for (const NormalFormData::Part& part : data_.decomposition(record)) add(part.code, part.combining_class);
}

// A mark reaches the last character of class 0 past marks of lower classes, but not past one of its own class.
void NormalForm::compose(std::vector<FormChar>* chars) const {
  size_t kept = 0, start = 0;  // `start`: of the last character of class 0, if there is one
  bool any_start = false;
  for (size_t i = 0; i < chars->size(); ++i) {
    const FormChar here = (*chars)[i];
    const bool reaches = any_start && (kept == start + 1 || (*chars)[kept - 1].combining_class < here.combining_class);
    FormChar& first = (*chars)[start];
    if (const char32_t both = reaches ? data_.composed(first.code, here.code) : 0; both != 0) {
      first = {both, 0, first.change + here.change - 1};
      continue;
    }
    if (here.combining_class == 0) {
      start = kept;
      any_start = true;
    }
    (*chars)[kept++] = here;
  }
  chars->resize(kept);
}

}  // namespace bouquet::tokenizer
