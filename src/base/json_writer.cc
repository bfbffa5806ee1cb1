// JSON text from values; floats through std::to_chars, whose digits are the fewest that read back the same.
#include "base/json_writer.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>

#include "base/utf8.h"
#include "fmt/format.h"

namespace bouquet {
namespace {

void append_escaped(std::string_view text, std::string* out) {
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(c);
    } else if (c == '\n') {
      out->append("\\n");
    } else if (c == '\t') {
      out->append("\\t");
    } else if (c == '\r') {
      out->append("\\r");
    } else if (byte < 0x20 || byte == 0x7f) {
      fmt::format_to(std::back_inserter(*out), "\\u{:04x}", byte);
    } else {
      out->push_back(c);
    }
  }
}

constexpr size_t kLongestFloat = JsonWriter::kFloatBytes - 1;  // -1.02412975e-17: nine digits at most
constexpr size_t kLongestDouble = 24;                          // -2.2250738585072014e-308, likewise

// Writes at most `longest` characters and returns their end.
template <class T>
char* write_number(T value, char* to, size_t longest) {
  if (std::isfinite(value)) return std::to_chars(to, to + longest, value).ptr;
  std::memcpy(to, "null", 4);
  return to + 4;
}

template <class T>
void append_number(T value, size_t longest, std::string* out) {
  const size_t before = out->size();
  out->resize(before + longest);
  out->resize(write_number(value, out->data() + before, longest) - out->data());
}

}  // namespace

void JsonWriter::separate() {
  if (!fresh_) out_.push_back(',');
  fresh_ = false;
}

JsonWriter& JsonWriter::begin_object() {
  separate();
  out_.push_back('{');
  fresh_ = true;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  out_.push_back('}');
  fresh_ = false;
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  separate();
  out_.push_back('[');
  fresh_ = true;
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  out_.push_back(']');
  fresh_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  string(name);
  out_.push_back(':');
  fresh_ = true;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
  separate();
  out_.push_back('"');
  if (is_valid_utf8(text)) {
    append_escaped(text, &out_);
  } else {
    append_escaped(replace_invalid_utf8(text), &out_);
  }
  out_.push_back('"');
  return *this;
}

JsonWriter& JsonWriter::number(int64_t value) {
  separate();
  fmt::format_to(std::back_inserter(out_), "{}", value);
  return *this;
}

JsonWriter& JsonWriter::number(float value) {
  separate();
  append_number(value, kLongestFloat, &out_);
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  separate();
  append_number(value, kLongestDouble, &out_);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  separate();
  out_.append(value ? "true" : "false");
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_.append("null");
  return *this;
}

JsonWriter& JsonWriter::floats(std::span<const float> values) {
  begin_array();
  const size_t before = out_.size();
  out_.resize(before + values.size() * kFloatBytes);
  char* to = out_.data() + before;
  for (float value : values) {
    to = write_number(value, to, kLongestFloat);
    *to++ = ',';
  }
  if (!values.empty()) --to;
  out_.resize(to - out_.data());
  return end_array();
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_.append(json);
  return *this;
}

}  // namespace bouquet
