// Pairs are not stored: a decomposition that is composed again is what all but its last part compose to, and that part.
#include "tokenizer/unicode/normal_form_data.h"

#include <algorithm>

#include "tokenizer/unicode/hangul.h"
#include "tokenizer/unicode/normal_form_tables.h"
#include "tokenizer/unicode/unicode.h"

namespace bouquet::tokenizer {
namespace {

constexpr char32_t kEndOfCodes = 0x110000;

class Builder {
 public:
  void add_canonical() {
    for (char32_t code = 0; code < kEndOfCodes; ++code) {
      const uint16_t flags = table_.flags(code);
      if ((flags & kReordersFlag) != 0) own_record(code)->combining_class = table_.combining_class(code);
      if ((flags & kDecomposesFlag) != 0 && !hangul::is_syllable(code)) set_parts(code, table_.decomposition(code));
    }
  }

  void add_compatible() {
    const std::span<const uint32_t> data = tables::kCompatibility;
    char32_t code = 0;
    for (size_t i = 0; i < data.size();) {
      code += data[i];
      const uint32_t count = data[i + 1], step = data[i + 2], length = data[i + 3];
      const std::span<const uint32_t> first = data.subspan(i + 4, length);
      std::vector<uint32_t> parts(first.begin(), first.end());
      for (const char32_t end = code + count; code < end; ++code, parts.back() += step) set_parts(code, parts);
      i += 4 + length;
    }
  }

  void decompose_syllables() {
    data_.records.push_back({.changes = true});
    const auto index = static_cast<uint16_t>(data_.records.size() - 1);
    for (char32_t code = hangul::kFirst; code <= hangul::kLast; ++code) data_.record_of.add(code, index);
  }

  // After add_canonical, before add_compatible.
  void add_pairs() {
    CodePointFlags not_composed;
    not_composed.add_ranges(tables::kNotComposed, 1);
    for (size_t length = 2; length <= kLongest; ++length) {
      for (char32_t code = 0; code < kEndOfCodes; ++code) {
        const bool made = data_.record(code).length == length && not_composed[code] == 0;
        if (made) add_pair(code);
      }
      index_pairs();
    }
    for (const NormalFormData::Pair& pair : data_.pairs) own_record(pair.second)->changes = true;
    for (uint32_t i = 0; i < hangul::kVowels; ++i) own_record(hangul::kVowel + i)->changes = true;
    for (uint32_t i = 1; i < hangul::kTrailings; ++i) own_record(hangul::kTrailing + i)->changes = true;
  }

  NormalFormData data() { return std::move(data_); }

 private:
  static constexpr size_t kLongest = 4;  // parts of a canonical decomposition

  NormalFormData::Record* own_record(char32_t code) {
    if (data_.record_of[code] == 0) {
      data_.record_of.add(code, static_cast<uint16_t>(data_.records.size()));
      data_.records.emplace_back();
    }
    return &data_.records[data_.record_of[code]];
  }

  void set_parts(char32_t code, std::span<const uint32_t> parts) {
    NormalFormData::Record& record = *own_record(code);
    record.begin = static_cast<uint32_t>(data_.parts.size());
    record.length = static_cast<uint16_t>(parts.size());
    record.changes = true;
    for (const uint32_t part : parts) data_.parts.push_back({part, table_.combining_class(part)});
  }

  // Of a code point all of whose shorter pairs are known.
  void add_pair(char32_t code) {
    NormalFormData::Record& record = *own_record(code);
    const std::span<const NormalFormData::Part> parts = data_.decomposition(record);
    char32_t first = parts[0].code;
    for (size_t i = 1; i + 1 < parts.size(); ++i) first = data_.composed(first, parts[i].code);
    data_.pairs.push_back({first, parts.back().code, code});
    record.changes = false;
  }

  void index_pairs() {
    std::vector<NormalFormData::Pair>& pairs = data_.pairs;
    std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    data_.pairs_of = CodePointFlags();
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (i == 0 || pairs[i].first != pairs[i - 1].first) {
        data_.pairs_of.add(pairs[i].first, static_cast<uint16_t>(i + 1));
      }
    }
  }

  const UnicodeTable& table_ = UnicodeTable::get();
  NormalFormData data_;
};

}  // namespace

char32_t NormalFormData::composed(char32_t first, char32_t second) const {
  const uint16_t place = pairs_of[first];
  if (place == 0) return hangul::composed(first, second);
  for (size_t i = place - 1u; i < pairs.size() && pairs[i].first == first; ++i) {
    if (pairs[i].second == second) return pairs[i].composed;
  }
  return 0;
}

NormalFormData make_normal_form_data(bool composes, bool compatible) {
  Builder builder;
  builder.add_canonical();
  composes ? builder.add_pairs() : builder.decompose_syllables();
  if (compatible) builder.add_compatible();
  return builder.data();
}

}  // namespace bouquet::tokenizer
