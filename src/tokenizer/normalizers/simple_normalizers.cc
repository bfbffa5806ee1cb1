// One pass over the characters each.
#include "tokenizer/normalizers/simple_normalizers.h"

#include <algorithm>

#include "base/status.h"

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

absl::StatusOr<std::unique_ptr<const Normalizer>> PrependNormalizer::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view prefix, json.text("prepend"));
  return std::make_unique<const PrependNormalizer>(std::string(prefix));
}

void PrependNormalizer::normalize(NormalizerScratch*, NormalizedText* text) const {
  if (text->view().empty()) return;
  text->begin_stage();
  text->put(prefix_, text->origin(0));
  text->copy_run(0, text->view().size());
  text->commit();
}

absl::StatusOr<std::unique_ptr<const Normalizer>> StripNormalizer::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const bool left, json.flag("strip_left"));
  ASSIGN_OR_RETURN(const bool right, json.flag("strip_right"));
  return std::make_unique<const StripNormalizer>(left, right);
}

void StripNormalizer::normalize(NormalizerScratch*, NormalizedText* text) const {
  const UnicodeTable& table = UnicodeTable::get();
  const std::string_view in = text->view();
  const auto is_space = [&](size_t at) { return (table.flags(utf8_at(in, at).code) & kWhitespaceFlag) != 0; };
  size_t begin = 0, end = in.size();
  while (left_ && begin < end && is_space(begin)) begin += utf8_length(in[begin]);
  while (right_ && begin < end && is_space(utf8_previous(in, end))) end = utf8_previous(in, end);
  if (end - begin == in.size()) return;
  text->begin_stage();
  text->copy_run(begin, end - begin);
  text->commit();
}

void SequenceNormalizer::normalize(NormalizerScratch* scratch, NormalizedText* text) const {
  for (const auto& part : parts_) part->normalize(scratch, text);
}

bool SequenceNormalizer::isolates_chinese() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->isolates_chinese(); });
}

bool SequenceNormalizer::looks_at_ends() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->looks_at_ends(); });
}

bool SequenceNormalizer::may_move_origins() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->may_move_origins(); });
}

bool SequenceNormalizer::moves_origins(std::string_view text) const {
  return std::any_of(parts_.begin(), parts_.end(), [&](const auto& part) { return part->moves_origins(text); });
}

}  // namespace bouquet::tokenizer
