// One pass over the characters each.
#include "tokenizer/simple_normalizers.h"

#include <algorithm>

namespace bouquet::tokenizer {
namespace {

// Starts the next form and calls put(code, origin) for every character; the caller commits.
template <typename Put>
void each_char(NormalizedText* text, const Put& put) {
  const std::string_view in = text->view();
  text->begin_stage();
  for (size_t at = 0; at < in.size();) {
    const Utf8Char here = utf8_at(in, at);
    put(here.code, text->origin(at));
    at += here.length;
  }
}

}  // namespace

void LowercaseNormalizer::normalize(NormalizerScratch*, NormalizedText* text) const {
  const UnicodeTable& table = UnicodeTable::get();
  each_char(text, [&](char32_t code, uint32_t origin) {
    text->put(table.lower(code), origin);
    if (code == 0x130) text->put(0x307, origin);
  });
  text->commit();
}

void StripAccentsNormalizer::normalize(NormalizerScratch*, NormalizedText* text) const {
  const UnicodeTable& table = UnicodeTable::get();
  each_char(text, [&](char32_t code, uint32_t origin) {
    if ((table.flags(code) & kCombiningFlag) == 0) text->put(code, origin);
  });
  text->commit();
}

void NfdNormalizer::normalize(NormalizerScratch* scratch, NormalizedText* text) const {
  scratch->decomposer.reset();
  const auto emit = [&](char32_t code, uint32_t origin) { text->put(code, origin); };
  each_char(text, [&](char32_t code, uint32_t origin) { scratch->decomposer.add(code, origin, emit); });
  scratch->decomposer.flush(emit);
  text->commit();
}

void SequenceNormalizer::normalize(NormalizerScratch* scratch, NormalizedText* text) const {
  for (const auto& part : parts_) part->normalize(scratch, text);
}

bool SequenceNormalizer::isolates_chinese() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->isolates_chinese(); });
}

}  // namespace bouquet::tokenizer
