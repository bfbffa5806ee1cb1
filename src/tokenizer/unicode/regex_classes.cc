// Expands the generated ranges.
#include "tokenizer/unicode/regex_classes.h"

#include "tokenizer/unicode/regex_tables.h"
#include "tokenizer/unicode/unicode_tables.h"

namespace bouquet::tokenizer {
namespace {

constexpr RegexProperty kProperties[] = {
    {"Lu", tables::kUpper},       {"Lt", tables::kTitle},
    {"Ll", tables::kLowerCase},   {"Lm", tables::kModifier},
    {"Lo", tables::kOtherLetter}, {"M", tables::kMarkClass},
    {"N", tables::kNumber},       {"P", tables::kPunctuationClass},
    {"S", tables::kSymbol},       {"W", tables::kWordClass},
    {"D", tables::kDigit},        {"Han", tables::kHan},
};

}  // namespace

std::span<const RegexProperty> regex_properties() { return kProperties; }

const RegexClasses& RegexClasses::get() {
  static const RegexClasses* const classes = new RegexClasses();
  return *classes;
}

// The properties stand in the order of the flags.
RegexClasses::RegexClasses() {
  uint16_t flag = 1;
  for (const RegexProperty& property : kProperties) {
    flags_.add_ranges(property.gaps, flag);
    flag = static_cast<uint16_t>(flag * 2);
  }
  flags_.add_ranges(tables::kWhitespace, kSpaceClass);
  flags_.add_ranges(tables::kNumeric, kNumericClass);
}

}  // namespace bouquet::tokenizer
