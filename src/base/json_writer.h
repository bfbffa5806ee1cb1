// Writes JSON straight into a string: commas and escapes are its business, nesting is the caller's.
//
//   JsonWriter json;
//   json.begin_object().key("object").string("list").key("data").begin_array().number(1).end_array().end_object();
//   std::move(json).str();
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bouquet {

class JsonWriter {
 public:
  static constexpr size_t kFloatBytes = 16;  // at most, comma included

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& string(std::string_view text);  // bytes that are not UTF-8 become U+FFFD
  JsonWriter& number(int64_t value);
  JsonWriter& number(float value);   // shortest digits that read back to the same float
  JsonWriter& number(double value);  // likewise; NaN and infinity, which JSON has not, become null
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  JsonWriter& floats(std::span<const float> values);  // an array of numbers
  JsonWriter& raw(std::string_view json);             // a ready value

  void reserve(size_t bytes) { out_.reserve(bytes); }
  const std::string& view() const { return out_; }
  std::string str() && { return std::move(out_); }

 private:
  void separate();
  std::string out_;
  bool fresh_ = true;  // nothing stands before the next value on this level, or a key does
};

}  // namespace bouquet
