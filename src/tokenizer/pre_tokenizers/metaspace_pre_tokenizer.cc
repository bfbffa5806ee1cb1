// The text is written anew, word by word.
#include "tokenizer/pre_tokenizers/metaspace_pre_tokenizer.h"

#include "base/status.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<PrependScheme> prepend_scheme(const JsonObject& json) {
  if (!json.find("prepend_scheme")) return PrependScheme::kAlways;
  ASSIGN_OR_RETURN(const std::string_view name, json.text("prepend_scheme"));
  if (name == "always") return PrependScheme::kAlways;
  if (name == "first") return PrependScheme::kFirst;
  if (name == "never") return PrependScheme::kNever;
  return json_error(json.place_of("prepend_scheme"), "is not always, first or never");
}

}  // namespace

absl::StatusOr<MetaspaceOptions> MetaspaceOptions::from_json(const JsonObject& json) {
  MetaspaceOptions options;
  ASSIGN_OR_RETURN(const std::string_view replacement, json.text("replacement"));
  if (replacement.empty() || utf8_length(replacement[0]) != replacement.size()) {
    return json_error(json.place_of("replacement"), "is not one character");
  }
  options.replacement = utf8_at(replacement, 0).code;
  ASSIGN_OR_RETURN(options.prepend, prepend_scheme(json));
  if (json.find("add_prefix_space")) {
    ASSIGN_OR_RETURN(const bool add, json.flag("add_prefix_space"));
    const bool named = json.find("prepend_scheme").has_value();
    if (!add && named && options.prepend != PrependScheme::kNever) {
      return json_error(json.place_of("add_prefix_space"), "contradicts prepend_scheme");
    }
    if (!add) options.prepend = PrependScheme::kNever;
  }
  ASSIGN_OR_RETURN(options.split, json.flag_or("split", options.split));
  return options;
}

absl::StatusOr<std::unique_ptr<const PreTokenizer>> MetaspacePreTokenizer::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const MetaspaceOptions options, MetaspaceOptions::from_json(json));
  return std::make_unique<const MetaspacePreTokenizer>(options);
}

bool MetaspacePreTokenizer::begins_word(std::string_view view, size_t at) const {
  return view[at] == ' ' || view.substr(at).starts_with(replacement_);
}

void MetaspacePreTokenizer::split(const std::vector<Piece>& pieces, NormalizedText* text,
                                  std::vector<Piece>* out) const {
  text->begin_stage();
  for (const Piece& piece : pieces) {
    if (piece.id < 0) {
      split_piece(piece.span, text, out);
      continue;
    }
    const uint32_t begin = text->staged();
    text->copy_run(piece.span.begin, piece.span.end - piece.span.begin);
    out->push_back({{begin, text->staged()}, piece.id});
  }
  text->commit();
}

// The first byte behind `at` where a space or a replacement may begin, else the end.
uint32_t MetaspacePreTokenizer::next_stop(std::string_view view, uint32_t at) const {
  size_t end = at + utf8_length(view[at]);
  while (end < view.size() && view[end] != ' ' && view[end] != replacement_[0]) ++end;
  return static_cast<uint32_t>(end);
}

void MetaspacePreTokenizer::split_piece(Span piece, NormalizedText* text, std::vector<Piece>* out) const {
  const std::string_view view = text->view().substr(0, piece.end);
  uint32_t begin = text->staged();
  const bool wanted = options_.prepend == PrependScheme::kAlways ||
                      (options_.prepend == PrependScheme::kFirst && text->is_first(piece.begin));
  if (wanted && !begins_word(view, piece.begin)) text->put(replacement_, text->origin(piece.begin));
  for (uint32_t at = piece.begin; at < piece.end;) {
    const bool cut = options_.split && text->staged() > begin && begins_word(view, at);
    if (cut) {
      out->push_back({{begin, text->staged()}});
      begin = text->staged();
    }
    if (view[at] == ' ') {
      text->put(replacement_, text->origin(at));
      ++at;
      continue;
    }
    const uint32_t end = next_stop(view, at);
    text->copy_run(at, end - at);
    at = end;
  }
  out->push_back({{begin, text->staged()}});
}

}  // namespace bouquet::tokenizer
