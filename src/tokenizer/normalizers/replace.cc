// Matches from left to right, none inside another.
#include "tokenizer/normalizers/replace.h"

#include <algorithm>
#include <charconv>

#include "base/status.h"
#include "tokenizer/unicode/unicode.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

// Whether a character stands for itself in a regular expression.
bool is_literal(std::string_view character) {
  return std::string_view("\\^$.|?*+()[]{}").find(character) == std::string_view::npos;
}

// A byte as a code point; 0x80 for all that are not ASCII.
char32_t ascii(char byte) { return std::min<unsigned char>(static_cast<unsigned char>(byte), 0x80); }

// The count of "+" or "{N,}"; 0: something else.
size_t repetitions(std::string_view suffix) {
  if (suffix == "+") return 1;
  size_t least = 0;
  if (!suffix.starts_with('{') || !suffix.ends_with(",}")) return 0;
  const char* const end = suffix.data() + suffix.size() - 2;
  const auto [parsed, error] = std::from_chars(suffix.data() + 1, end, least);
  return error == std::errc() && parsed == end ? least : 0;
}

}  // namespace

absl::StatusOr<Replacement> Replacement::from_json(const JsonObject& json) {
  Replacement result;
  ASSIGN_OR_RETURN(const std::string_view content, json.text("content"));
  result.content_ = content;
  ASSIGN_OR_RETURN(const JsonObject pattern, json.object("pattern"));
  if (pattern.find("String")) {
    ASSIGN_OR_RETURN(const std::string_view text, pattern.text("String"));
    if (text.empty()) return json_error(pattern.place_of("String"), "is empty");
    result.unit_ = text;
    return result;
  }
  ASSIGN_OR_RETURN(const std::string_view regex, pattern.text("Regex"));
  RETURN_IF_ERROR(read_regex(regex, pattern.place_of("Regex"), &result));
  return result;
}

absl::Status Replacement::read_regex(std::string_view pattern, std::string_view place, Replacement* result) {
  const std::string_view unit = pattern.substr(0, pattern.empty() ? 0 : utf8_length(pattern[0]));
  result->least_ = repetitions(pattern.substr(unit.size()));
  if (result->least_ > 0 && is_literal(unit)) {
    result->unit_ = unit;
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(Regex regex, Regex::compile(pattern, place));
  result->regex_ = std::make_shared<const Regex>(std::move(regex));
  return absl::OkStatus();
}

// Runs of spaces that stay white space, and punctuation that stays punctuation.
bool Replacement::keeps_boundaries() const {
  if (regex_ != nullptr || content_.empty()) return false;
  const auto is_punctuation = [](char c) { return (UnicodeTable::get().flags(ascii(c)) & kPunctuationFlag) != 0; };
  if (unit_ == " ") return content_ == " ";
  return std::all_of(unit_.begin(), unit_.end(), is_punctuation) &&
         std::all_of(content_.begin(), content_.end(), is_punctuation) && content_[0] != '\'';
}

Regex::Match Replacement::find(std::string_view text, size_t from) const {
  for (size_t begin = text.find(unit_, from); begin != std::string_view::npos; begin = text.find(unit_, from)) {
    size_t end = begin + unit_.size(), count = 1;
    for (; least_ > 0 && text.substr(end).starts_with(unit_); end += unit_.size()) ++count;
    if (count >= least_) return {begin, end};
    from = end;
  }
  return {text.size(), text.size()};
}

absl::StatusOr<std::unique_ptr<const Normalizer>> ReplaceNormalizer::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(Replacement replacement, Replacement::from_json(json));
  return std::make_unique<const ReplaceNormalizer>(std::move(replacement));
}

// What is put in takes the origin of the last character it replaces, or of the one before.
void ReplaceNormalizer::normalize(NormalizerScratch*, NormalizedText* text) const {
  const std::string_view in = text->view();
  size_t done = 0;
  bool any = false;
  replacement_.for_each_match(in, [&](size_t begin, size_t end) {
    if (!any) text->begin_stage();
    any = true;
    text->copy_run(done, begin - done);
    text->put(replacement_.content(), end == 0 ? NormalizedText::kBeforeText : text->origin(utf8_previous(in, end)));
    done = end;
  });
  if (!any) return;
  text->copy_run(done, in.size() - done);
  text->commit();
}

absl::StatusOr<std::unique_ptr<const Decoder>> ReplaceDecoder::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(Replacement replacement, Replacement::from_json(json));
  return std::make_unique<const ReplaceDecoder>(std::move(replacement));
}

void ReplaceDecoder::decode(std::vector<std::string>* tokens) const {
  for (std::string& token : *tokens) {
    std::string replaced;
    size_t done = 0;
    replacement_.for_each_match(token, [&](size_t begin, size_t end) {
      replaced.append(token, done, begin - done).append(replacement_.content());
      done = end;
    });
    token = replaced.append(token, done);
  }
}

}  // namespace bouquet::tokenizer
