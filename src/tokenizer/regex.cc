// Over Debian's Oniguruma. Its Unicode is older than that of `tokenizers`, so the general categories are defined anew,
// and \w and \d stand for two more such properties.
#include "tokenizer/regex.h"

#include <oniguruma.h>

#include <deque>
#include <vector>

#include "tokenizer/json_object.h"
#include "tokenizer/strings.h"
#include "tokenizer/unicode/regex_classes.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

constexpr std::string_view kWordName = "Bouquetword", kDigitName = "Bouquetdigit";

const OnigUChar* bytes_of(std::string_view text) { return reinterpret_cast<const OnigUChar*>(text.data()); }

// The count of ranges, then first and last of each, as Oniguruma keeps them.
std::vector<OnigCodePoint> ranges_of(const RegexClasses& classes, uint16_t flags) {
  std::vector<OnigCodePoint> ranges = {0};
  bool open = false;
  for (OnigCodePoint code = 0; code < 0x110000; ++code) {
    const bool in = (classes.of(code) & flags) != 0;
    if (in && !open) ranges.insert(ranges.end(), {code, code});
    if (in) ranges.back() = code;
    open = in;
  }
  ranges[0] = static_cast<OnigCodePoint>(ranges.size() / 2);
  return ranges;
}

// Whether Oniguruma is ready; it goes on reading the ranges, which are never freed.
bool set_up_engine() {
  static std::deque<std::vector<OnigCodePoint>>* const kept = new std::deque<std::vector<OnigCodePoint>>();
  OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
  if (onig_initialize(encodings, 1) != ONIG_NORMAL) return false;
  const RegexClasses& classes = RegexClasses::get();
  const auto define = [&](std::string_view name, uint16_t flags) {
    kept->push_back(ranges_of(classes, flags));
    return onig_unicode_define_user_property(std::string(name).c_str(), kept->back().data()) == ONIG_NORMAL;
  };
  bool ready = define("L", kLetterClass);
  uint16_t flag = 1;
  for (const RegexProperty& property : regex_properties()) {
    const std::string_view name = flag == kWordClass ? kWordName : flag == kDigitClass ? kDigitName : property.name;
    ready = ready && define(name, flag);
    flag = static_cast<uint16_t>(flag * 2);
  }
  return ready;
}

// \w, \W, \d and \D written as properties.
std::string with_own_classes(std::string_view pattern) {
  std::string result;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '\\' || i + 1 == pattern.size()) {
      result.push_back(pattern[i]);
      continue;
    }
    const char escaped = pattern[++i];
    const bool word = escaped == 'w' || escaped == 'W', digit = escaped == 'd' || escaped == 'D';
    if (word || digit) {
      const std::string_view sign = escaped == 'w' || escaped == 'd' ? "\\p{" : "\\P{";
      result.append(concat({sign, word ? kWordName : kDigitName, "}"}));
    } else {
      result.append(pattern, i - 1, 2);
    }
  }
  return result;
}

struct RegionFree {
  void operator()(OnigRegion* region) const { onig_region_free(region, 1); }
};

}  // namespace

void Regex::Free::operator()(re_pattern_buffer* compiled) const { onig_free(compiled); }

absl::StatusOr<Regex> Regex::compile(std::string_view pattern, std::string_view place) {
  static const bool ready = set_up_engine();
  if (!ready) return absl::InternalError("the engine for regular expressions does not start");
  const std::string source = with_own_classes(pattern);
  const OnigUChar* const begin = bytes_of(source);
  re_pattern_buffer* compiled = nullptr;
  OnigErrorInfo info;
  const int code = onig_new(&compiled, begin, begin + source.size(), ONIG_OPTION_NONE, ONIG_ENCODING_UTF8,
                            ONIG_SYNTAX_DEFAULT, &info);
  if (code == ONIG_NORMAL) return Regex(compiled);
  OnigUChar message[ONIG_MAX_ERROR_MESSAGE_LEN];
  const int length = onig_error_code_to_str(message, code, &info);
  const std::string_view text(reinterpret_cast<const char*>(message), static_cast<size_t>(length));
  return json_error(place, concat({"\"", pattern, "\" is not a regular expression: ", text}));
}

bool Regex::search(std::string_view text, size_t from, Match* match) const {
  thread_local const std::unique_ptr<OnigRegion, RegionFree> region(onig_region_new());
  const OnigUChar* const begin = bytes_of(text);
  const OnigUChar* const end = begin + text.size();
  const int found = onig_search(compiled_.get(), begin, end, begin + from, end, region.get(), ONIG_OPTION_NONE);
  if (found < 0) return false;
  *match = {static_cast<size_t>(region->beg[0]), static_cast<size_t>(region->end[0])};
  return true;
}

size_t Regex::after_char(std::string_view text, size_t at) {
  return at + (at < text.size() ? utf8_length(text[at]) : 1);
}

std::string regex_escape(std::string_view text) {
  std::string result;
  for (const char byte : text) {
    if (std::string_view("\\.+*?()|[]{}^$#&-~").find(byte) != std::string_view::npos) result.push_back('\\');
    result.push_back(byte);
  }
  return result;
}

}  // namespace bouquet::tokenizer
