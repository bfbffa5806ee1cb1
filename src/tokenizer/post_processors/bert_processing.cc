// "cls" and "sep" are [token, id].
#include "tokenizer/post_processors/bert_processing.h"

#include "base/status.h"

namespace bouquet::tokenizer {
namespace {

absl::StatusOr<int32_t> id_of(const JsonObject& json, std::string_view key) {
  ASSIGN_OR_RETURN(const simdjson::dom::array array, json.array(key));
  JsonElement id;
  if (array.at(1).get(id) != simdjson::SUCCESS) return json_error(json.place_of(key), "is not [token, id]");
  return json_number(id, json.place_of(key));
}

}  // namespace

absl::StatusOr<PostProcessor> make_bert_processing(const JsonObject& json) {
  ASSIGN_OR_RETURN(const int32_t cls, id_of(json, "cls"));
  ASSIGN_OR_RETURN(const int32_t sep, id_of(json, "sep"));
  const TemplatePiece cls_piece = {TemplatePiece::kSpecial, 0, {cls}};
  const TemplatePiece sep_piece = {TemplatePiece::kSpecial, 0, {sep}};
  PostProcessor result;
  result.single = {cls_piece, {TemplatePiece::kFirst, 0}, sep_piece};
  result.pair = result.single;
  result.pair.push_back({TemplatePiece::kSecond, 1});
  result.pair.push_back({TemplatePiece::kSpecial, 1, {sep}});
  return result;
}

absl::StatusOr<PostProcessor> make_roberta_processing(const JsonObject& json) {
  ASSIGN_OR_RETURN(const bool trims, json.flag("trim_offsets"));
  ASSIGN_OR_RETURN(const bool add_prefix_space, json.flag("add_prefix_space"));
  ASSIGN_OR_RETURN(const int32_t cls, id_of(json, "cls"));
  ASSIGN_OR_RETURN(const int32_t sep, id_of(json, "sep"));
  const TemplatePiece sep_piece = {TemplatePiece::kSpecial, 0, {sep}};
  PostProcessor result;
  if (trims) result.trims.push_back({add_prefix_space});
  result.single = {{TemplatePiece::kSpecial, 0, {cls}}, {TemplatePiece::kFirst, 0}, sep_piece};
  result.pair = result.single;
  result.pair.push_back(sep_piece);
  result.pair.push_back({TemplatePiece::kSecond, 0});
  result.pair.push_back(sep_piece);
  return result;
}

}  // namespace bouquet::tokenizer
