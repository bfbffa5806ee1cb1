// JSON text from values; floats through fmt's shortest round-trip form.
#include "base/json_writer.h"

#include <cmath>
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

template <class T>
void append_number(T value, std::string* out) {
  if (!std::isfinite(value)) {
    out->append("null");
    return;
  }
  char digits[40];
  const char* end = fmt::format_to(digits, "{}", value);
  out->append(digits, static_cast<size_t>(end - digits));
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
  append_number(value, &out_);
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  separate();
  append_number(value, &out_);
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
  for (float value : values) number(value);
  return end_array();
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_.append(json);
  return *this;
}

}  // namespace bouquet
