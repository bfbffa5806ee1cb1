// Expands the delta-coded tables to a two-stage table of flags and sorted lists.
#include "tokenizer/unicode/unicode.h"

#include <algorithm>

#include "tokenizer/unicode/hangul.h"
#include "tokenizer/unicode/unicode_tables.h"

namespace bouquet::tokenizer {

const UnicodeTable& UnicodeTable::get() {
  static const UnicodeTable* const table = new UnicodeTable();
  return *table;
}

UnicodeTable::UnicodeTable() {
  flags_.add_ranges(tables::kDropped, kDroppedFlag);
  flags_.add_ranges(tables::kSpaced, kSpacedFlag);
  flags_.add_ranges(tables::kWhitespace, kWhitespaceFlag);
  flags_.add_ranges(tables::kPunctuation, kPunctuationFlag);
  flags_.add_ranges(tables::kChinese, kChineseFlag);
  flags_.add_ranges(tables::kWord, kWordFlag);
  flags_.add_ranges(tables::kMark, kMarkFlag);
  flags_.add_ranges(tables::kCombining, kCombiningFlag);
  add_classes();
  add_decompositions();
  add_lower();
}

void UnicodeTable::add_classes() {
  const std::span<const uint32_t> data = tables::kCombiningClass;
  for (size_t i = 0; i < data.size();) {
    const uint32_t combining_class = data[i];
    const std::span<const uint32_t> gaps = data.subspan(i + 2, 2 * data[i + 1]);
    flags_.add_ranges(gaps, kReordersFlag);
    uint32_t code = 0;
    for (size_t k = 0; k < gaps.size(); k += 2) {
      code += gaps[k];
      for (const uint32_t end = code + gaps[k + 1]; code < end; ++code) classes_.push_back({code, combining_class});
    }
    i += 2 + gaps.size();
  }
  std::sort(classes_.begin(), classes_.end(), [](const Entry& a, const Entry& b) { return a.code < b.code; });
}

void UnicodeTable::add_decompositions() {
  const std::span<const uint32_t> data = tables::kDecomposition;
  uint32_t code = 0;
  for (size_t i = 0; i < data.size(); i += 2 + data[i + 1]) {
    code += data[i];
    decompositions_.push_back({code, static_cast<uint32_t>(i + 1)});
    flags_.add(code, kDecomposesFlag);
  }
  for (char32_t syllable = hangul::kFirst; syllable <= hangul::kLast; ++syllable) flags_.add(syllable, kDecomposesFlag);
}

void UnicodeTable::add_lower() {
  const std::span<const uint32_t> data = tables::kLower;
  uint32_t code = 0;
  for (size_t i = 0; i < data.size(); i += 2) {
    code += data[i];
    lower_.push_back({code, data[i + 1]});
    flags_.add(code, kLowersFlag);
  }
  flags_.add(0x130, kLowersFlag);
}

const UnicodeTable::Entry* UnicodeTable::find(const std::vector<Entry>& entries, char32_t code) {
  const auto at = std::lower_bound(entries.begin(), entries.end(), static_cast<uint32_t>(code),
                                   [](const Entry& entry, uint32_t wanted) { return entry.code < wanted; });
  return at != entries.end() && at->code == code ? &*at : nullptr;
}

uint8_t UnicodeTable::combining_class(char32_t code) const {
  if ((flags(code) & kReordersFlag) == 0) return 0;
  const Entry* const entry = find(classes_, code);
  return entry == nullptr ? 0 : static_cast<uint8_t>(entry->value);
}

std::span<const uint32_t> UnicodeTable::decomposition(char32_t code) const {
  const Entry* const entry = find(decompositions_, code);
  if (entry == nullptr) return {};
  return std::span<const uint32_t>(tables::kDecomposition)
      .subspan(entry->value + 1, tables::kDecomposition[entry->value]);
}

char32_t UnicodeTable::lower(char32_t code) const {
  if ((flags(code) & kLowersFlag) == 0) return code;
  if (code == 0x130) return U'i';
  const Entry* const entry = find(lower_, code);
  return entry == nullptr ? code : static_cast<char32_t>(entry->value);
}

}  // namespace bouquet::tokenizer
