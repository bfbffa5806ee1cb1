// simdjson's DOM behind typed getters.
#include "rose/models/json_config.h"

#include <set>

#include "base/file.h"
#include "base/status.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace bouquet::rose {
namespace {

// Whether the digits [begin, end) are a whole number: no fraction, no exponent and no part of one.
bool is_whole(std::string_view json, size_t begin, size_t end) {
  const auto in = [&](size_t at, std::string_view set) { return at < json.size() && set.find(json[at]) != set.npos; };
  if (in(end, ".eE") || (begin >= 1 && in(begin - 1, ".eE"))) return false;
  return !(begin >= 2 && in(begin - 1, "+-") && in(begin - 2, "eE"));
}

// transformers writes 1000000000000000019884624838656 for "no limit", which simdjson takes for no number.
std::string huge_integers_as_floats(std::string_view json) {
  constexpr size_t kDigits = 19;  // what an int64_t may have
  std::string out;
  bool quoted = false;
  for (size_t i = 0; i < json.size();) {
    const size_t end = std::min(json.find_first_not_of("0123456789", i), json.size());
    if (end > i) {
      out.append(json.substr(i, end - i));
      if (!quoted && end - i >= kDigits && is_whole(json, i, end)) out.append(".0");
      i = end;
    } else if (quoted && json[i] == '\\') {
      out.append(json.substr(i, 2));
      i += 2;
    } else {
      if (json[i] == '"') quoted = !quoted;
      out.push_back(json[i++]);
    }
  }
  return out;
}

}  // namespace

struct JsonConfig::Document {
  auto operator[](std::string_view key) {
    asked.emplace(key);
    return root[key];
  }
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::set<std::string, std::less<>> asked;
};

JsonConfig::JsonConfig(std::unique_ptr<Document> document, std::string name)
    : document_(std::move(document)), name_(std::move(name)) {}
JsonConfig::JsonConfig(JsonConfig&&) noexcept = default;
JsonConfig::~JsonConfig() = default;

absl::StatusOr<JsonConfig> JsonConfig::parse(std::string_view json, std::string name) {
  auto document = std::make_unique<Document>();
  auto error = document->parser.parse(json.data(), json.size()).get(document->root);
  if (error == simdjson::NUMBER_ERROR) {
    const std::string floats = huge_integers_as_floats(json);
    error = document->parser.parse(floats).get(document->root);
  }
  if (error) {
    return absl::InvalidArgumentError(fmt::format("{}: {}", name, simdjson::error_message(error)));
  }
  return JsonConfig(std::move(document), std::move(name));
}

absl::StatusOr<JsonConfig> JsonConfig::load(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const std::string text, read_file(file));
  return parse(text, file.string());
}

absl::Status JsonConfig::wrong(std::string_view key, std::string_view expected) const {
  return absl::InvalidArgumentError(fmt::format("{}: \"{}\" is missing or not {}", name_, key, expected));
}

bool JsonConfig::has(std::string_view key) const {
  simdjson::dom::element value;
  return !(*document_)[key].get(value) && !value.is_null();
}

bool JsonConfig::is_null(std::string_view key) const {
  simdjson::dom::element value;
  return !(*document_)[key].get(value) && value.is_null();
}

absl::StatusOr<int32_t> JsonConfig::integer(std::string_view key) const {
  int64_t value = 0;
  if ((*document_)[key].get(value) || value < INT32_MIN || value > INT32_MAX) return wrong(key, "an integer");
  return static_cast<int32_t>(value);
}

absl::StatusOr<int32_t> JsonConfig::integer_or(std::string_view key, int32_t fallback) const {
  if (!has(key)) return fallback;
  return integer(key);
}

absl::StatusOr<int32_t> JsonConfig::either_integer(std::string_view key, std::string_view other) const {
  return integer(has(key) ? key : other);
}

absl::StatusOr<double> JsonConfig::number_or(std::string_view key, double fallback) const {
  double value = fallback;
  if (has(key) && (*document_)[key].get(value)) return wrong(key, "a number");
  return value;
}

absl::StatusOr<std::string> JsonConfig::string_or(std::string_view key, std::string_view fallback) const {
  std::string_view value = fallback;
  if (has(key) && (*document_)[key].get(value)) return wrong(key, "a string");
  return std::string(value);
}

absl::StatusOr<bool> JsonConfig::boolean_or(std::string_view key, bool fallback) const {
  bool value = fallback;
  if (has(key) && (*document_)[key].get(value)) return wrong(key, "true or false");
  return value;
}

absl::StatusOr<std::vector<std::string>> JsonConfig::strings(std::string_view key) const {
  std::vector<std::string> values;
  if (!has(key)) return values;
  std::string_view one;
  if (!(*document_)[key].get(one)) return std::vector<std::string>{std::string(one)};
  simdjson::dom::array list;
  if ((*document_)[key].get(list)) return wrong(key, "a string or a list of strings");
  for (simdjson::dom::element value : list) {
    if (value.get(one)) return wrong(key, "a list of strings");
    values.emplace_back(one);
  }
  return values;
}

absl::StatusOr<std::vector<std::pair<std::string, std::string>>> JsonConfig::string_map(std::string_view key) const {
  std::vector<std::pair<std::string, std::string>> values;
  if (!has(key)) return values;
  simdjson::dom::object object;
  if ((*document_)[key].get(object)) return wrong(key, "an object");
  for (auto [name, value] : object) {
    std::string_view text;
    if (value.get(text)) return wrong(key, "an object of strings");
    values.emplace_back(std::string(name), std::string(text));
  }
  return values;
}

absl::StatusOr<std::optional<JsonConfig>> JsonConfig::object(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  simdjson::dom::object object;
  if ((*document_)[key].get(object)) return wrong(key, "an object");
  if (object.size() == 0) return std::nullopt;
  ASSIGN_OR_RETURN(JsonConfig inner, parse(simdjson::minify(object), fmt::format("{}: {}", name_, key)));
  return inner;
}

absl::StatusOr<std::vector<JsonConfig>> JsonConfig::elements() const {
  simdjson::dom::array list;
  if (document_->root.get(list)) return absl::InvalidArgumentError(fmt::format("{}: not a list", name_));
  std::vector<JsonConfig> elements;
  for (simdjson::dom::element value : list) {
    ASSIGN_OR_RETURN(JsonConfig element, parse(simdjson::minify(value), fmt::format("{}[{}]", name_, elements.size())));
    elements.push_back(std::move(element));
  }
  return elements;
}

std::string JsonConfig::text() const { return simdjson::minify(document_->root); }

std::vector<std::string> JsonConfig::keys_not_asked_for() const {
  const auto says_nothing = [](simdjson::dom::element value) {
    bool flag = true;
    double number = 1;
    if (value.is_null()) return true;
    if (!value.get(flag)) return !flag;
    if (!value.get(number)) return number == 0;
    const std::string text = simdjson::minify(value);
    return text == "\"\"" || text == "[]" || text == "{}";
  };
  std::vector<std::string> keys;
  simdjson::dom::object object;
  if (document_->root.get(object)) return keys;
  for (const auto [key, value] : object) {
    if (!document_->asked.contains(key) && !says_nothing(value)) keys.emplace_back(key);
  }
  return keys;
}

}  // namespace bouquet::rose
