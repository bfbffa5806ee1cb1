// {"single": [pieces], "pair": [pieces], "special_tokens": {name: {"ids": [...]}}}; a piece has one key.
#include "tokenizer/post_processors/template_processing.h"

#include "base/status.h"
#include "tokenizer/strings.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<std::vector<int32_t>> special_ids(const JsonObject& specials, std::string_view name) {
  ASSIGN_OR_RETURN(const JsonObject special, specials.object(name));
  ASSIGN_OR_RETURN(const simdjson::dom::array array, special.array("ids"));
  std::vector<int32_t> ids;
  for (const JsonElement element : array) {
    ASSIGN_OR_RETURN(const int32_t id, json_number(element, special.place_of("ids")));
    ids.push_back(id);
  }
  return ids;
}

absl::StatusOr<TemplatePiece> make_piece(const JsonObject& json, const JsonObject& specials, bool pair) {
  const bool is_sequence = json.find("Sequence").has_value();
  ASSIGN_OR_RETURN(const JsonObject body, json.object(is_sequence ? "Sequence" : "SpecialToken"));
  ASSIGN_OR_RETURN(const std::string_view id, body.text("id"));
  ASSIGN_OR_RETURN(const int32_t type_id, body.number("type_id"));
  if (type_id > 255) return json_error(body.place_of("type_id"), "is over 255");
  TemplatePiece piece;
  piece.type_id = static_cast<uint8_t>(type_id);
  if (!is_sequence) {
    piece.kind = TemplatePiece::kSpecial;
    ASSIGN_OR_RETURN(piece.ids, special_ids(specials, id));
  } else if (id == "A") {
    piece.kind = TemplatePiece::kFirst;
  } else if (id == "B" && pair) {
    piece.kind = TemplatePiece::kSecond;
  } else {
    return json_error(body.place_of("id"), "is not a sequence this template has");
  }
  return piece;
}

absl::StatusOr<std::vector<TemplatePiece>> make_pieces(const JsonObject& json, std::string_view key,
                                                       const JsonObject& specials) {
  ASSIGN_OR_RETURN(const simdjson::dom::array array, json.array(key));
  std::vector<TemplatePiece> pieces;
  for (const JsonElement element : array) {
    const std::string place = concat({json.place_of(key), "[", std::to_string(pieces.size()), "]"});
    ASSIGN_OR_RETURN(const JsonObject piece_json, JsonObject::of(element, place));
    ASSIGN_OR_RETURN(TemplatePiece piece, make_piece(piece_json, specials, key == "pair"));
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace

absl::StatusOr<PostProcessor> make_template_processing(const JsonObject& json) {
  ASSIGN_OR_RETURN(const JsonObject specials, json.object("special_tokens"));
  PostProcessor result;
  ASSIGN_OR_RETURN(result.single, make_pieces(json, "single", specials));
  ASSIGN_OR_RETURN(result.pair, make_pieces(json, "pair", specials));
  return result;
}

}  // namespace bouquet::tokenizer
