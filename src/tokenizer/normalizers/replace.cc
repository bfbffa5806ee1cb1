// Matches from left to right, none inside another.
#include "tokenizer/normalizers/replace.h"

#include <charconv>

#include "base/status.h"
#include "tokenizer/strings.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

// Whether a character stands for itself in a regular expression.
bool is_literal(std::string_view character) {
  return std::string_view("\\^$.|?*+()[]{}").find(character) == std::string_view::npos;
}

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
  const std::string_view unit = regex.substr(0, regex.empty() ? 0 : utf8_length(regex[0]));
  result.unit_ = unit;
  result.least_ = repetitions(regex.substr(unit.size()));
  if (result.least_ == 0 || !is_literal(unit)) {
    return absl::UnimplementedError(
        concat({"tokenizer.json: ", pattern.place_of("Regex"), " \"", regex, "\" is not supported"}));
  }
  return result;
}

Replacement::Match Replacement::find(std::string_view text, size_t from) const {
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

// What is put in takes the origin of the last character it replaces.
void ReplaceNormalizer::normalize(NormalizerScratch*, NormalizedText* text) const {
  const std::string_view in = text->view();
  const std::string& content = replacement_.content();
  Replacement::Match match = replacement_.find(in, 0);
  if (match.begin == in.size()) return;
  text->begin_stage();
  for (size_t done = 0; done < in.size(); match = replacement_.find(in, done)) {
    text->copy_run(done, match.begin - done);
    if (match.begin < match.end) text->put(content, text->origin(utf8_previous(in, match.end)));
    done = match.end;
  }
  text->commit();
}

absl::StatusOr<std::unique_ptr<const Decoder>> ReplaceDecoder::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(Replacement replacement, Replacement::from_json(json));
  return std::make_unique<const ReplaceDecoder>(std::move(replacement));
}

void ReplaceDecoder::decode(std::vector<std::string>* tokens) const {
  for (std::string& token : *tokens) {
    std::string replaced;
    for (size_t done = 0; done < token.size();) {
      const Replacement::Match match = replacement_.find(token, done);
      replaced.append(token, done, match.begin - done);
      if (match.begin < match.end) replaced.append(replacement_.content());
      done = match.end;
    }
    token = std::move(replaced);
  }
}

}  // namespace bouquet::tokenizer
