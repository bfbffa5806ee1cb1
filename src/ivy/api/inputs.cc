// Each form by the type of its first element.
#include "ivy/api/inputs.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

std::string at(const std::string& field, size_t index) { return absl::StrCat(field, "[", index, "]"); }

absl::Status too_many(const std::string& field, size_t count, size_t most) {
  return invalid_input(
      field, absl::StrCat(field, " has ", count, " entries, more than the ", most, " that this server takes at once"));
}

// {"text": "..."}, perhaps with {"type": "text"}; what holds anything else is some other medium.
absl::StatusOr<Input> read_object(simdjson::dom::object object, const std::string& field) {
  std::string_view text;
  bool found = false, more = false;
  for (const auto [key, value] : object) {
    if (key == "text" && !found) {
      if (value.get(text) != simdjson::SUCCESS) return wrong_type(absl::StrCat(field, ".text"), "a string", value);
      found = true;
    } else {
      more = more || key != "type";
    }
  }
  if (!found || more) {
    return invalid_input(field, absl::StrCat(field,
                                             " is an object that holds more than \"text\": this server takes "
                                             "text, not images or audio"));
  }
  return Input(std::string(text));
}

absl::StatusOr<Input> read_element(JsonValue value, const std::string& field) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return Input(std::string(text));
  simdjson::dom::object object;
  if (value.get(object) == simdjson::SUCCESS) return read_object(object, field);
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) return wrong_type(field, "a string or a list of token ids", value);
  ASSIGN_OR_RETURN(TokenIds ids, read_ids(list, field));
  return Input(std::move(ids));
}

bool begins_with_number(simdjson::dom::array list) {
  for (const JsonValue value : list) return value.is<double>() || value.is<int64_t>() || value.is<uint64_t>();
  return false;
}

absl::StatusOr<simdjson::dom::array> read_list(JsonValue value, const std::string& field, size_t most) {
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) return wrong_type(field, "a list of strings", value);
  if (list.size() == 0) return empty_input(field, absl::StrCat(field, " is empty"));
  if (list.size() > most) {
    size_t count = 0;
    for ([[maybe_unused]] const JsonValue each : list) ++count;  // size() saturates at 2^24
    return too_many(field, count, most);
  }
  return list;
}

}  // namespace

absl::StatusOr<TokenIds> read_ids(simdjson::dom::array list, const std::string& field) {
  TokenIds ids;
  ids.reserve(list.size());
  for (const JsonValue value : list) {
    int64_t id = 0;
    if (value.get(id) != simdjson::SUCCESS) return wrong_type(at(field, ids.size()), "a token id", value);
    if (id < 0 || id > INT32_MAX) {
      return invalid_input(at(field, ids.size()),
                           absl::StrCat(at(field, ids.size()), " is ", id, ", which can't be a token id"));
    }
    ids.push_back(static_cast<int32_t>(id));
  }
  return ids;
}

absl::StatusOr<Inputs> read_inputs(JsonValue value, const std::string& field, size_t most) {
  Inputs inputs;
  simdjson::dom::array list;
  const bool is_list = value.get(list) == simdjson::SUCCESS;
  if (!is_list || begins_with_number(list)) {
    inputs.single = true;
    ASSIGN_OR_RETURN(Input input, read_element(value, field));
    inputs.list.push_back(std::move(input));
    return inputs;
  }
  ASSIGN_OR_RETURN(list, read_list(value, field, most));
  inputs.list.reserve(list.size());
  for (const JsonValue element : list) {
    ASSIGN_OR_RETURN(Input input, read_element(element, at(field, inputs.list.size())));
    inputs.list.push_back(std::move(input));
  }
  return inputs;
}

absl::StatusOr<std::vector<Input>> read_texts(JsonValue value, const std::string& field, size_t most) {
  ASSIGN_OR_RETURN(const simdjson::dom::array list, read_list(value, field, most));
  std::vector<Input> texts;
  texts.reserve(list.size());
  for (const JsonValue element : list) {
    std::string_view text;
    if (element.get(text) != simdjson::SUCCESS) return wrong_type(at(field, texts.size()), "a string", element);
    texts.emplace_back(std::string(text));
  }
  return texts;
}

absl::StatusOr<tokenizer::TruncationSide> read_side(std::string_view text, const std::string& field) {
  const std::string lower = absl::AsciiStrToLower(std::string(text));
  if (lower == "left") return tokenizer::TruncationSide::kLeft;
  if (lower == "right") return tokenizer::TruncationSide::kRight;
  return invalid_input(field, absl::StrCat(field, " must be \"left\" or \"right\""));
}

absl::StatusOr<std::optional<tulip::Lane>> read_lane(const Fields& fields) {
  const auto value = fields.find("priority");
  if (!value) return std::optional<tulip::Lane>();
  int64_t number = 0;
  if (value->get(number) == simdjson::SUCCESS) return number > 0 ? tulip::Lane::kBulk : tulip::Lane::kOnline;
  std::string_view name;
  if (value->get(name) == simdjson::SUCCESS) {
    if (name == "online") return tulip::Lane::kOnline;
    if (name == "bulk") return tulip::Lane::kBulk;
  }
  return invalid_input("priority", "priority must be \"online\", \"bulk\" or a whole number");
}

}  // namespace bouquet::ivy
