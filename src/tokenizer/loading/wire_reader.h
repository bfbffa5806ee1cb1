// The fields of a protobuf message, one after the other, from bytes that may be anything.
//
//   WireReader reader(bytes);
//   while (reader.next()) { if (reader.field() == 1) use(reader.bytes()); }
//   if (!reader.ok()) ...;  // what was read so far is not the start of a message
#pragma once

#include <cstdint>
#include <string_view>

namespace bouquet::tokenizer {

class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  // Goes on to the next field; false at the end and where the bytes make no sense.
  bool next();
  bool ok() const { return ok_; }

  uint32_t field() const { return field_; }
  // Of the field just read; 0 and "" where it is of another kind.
  int64_t number() const { return number_; }
  float real() const;
  std::string_view bytes() const { return bytes_; }

 private:
  bool read_varint(uint64_t* value);
  bool read_bytes(uint64_t count, std::string_view* bytes);
  bool read_value(uint32_t kind);

  std::string_view rest_;
  bool ok_ = true;
  uint32_t field_ = 0;
  int64_t number_ = 0;
  std::string_view bytes_, fixed32_;
};

}  // namespace bouquet::tokenizer
