// Kinds of values: 0 varint, 1 eight bytes, 2 a length and bytes, 5 four bytes.
#include "tokenizer/loading/wire_reader.h"

#include <cstring>

namespace bouquet::tokenizer {

bool WireReader::next() {
  if (rest_.empty() || !ok_) return false;
  uint64_t tag = 0;
  number_ = 0;
  bytes_ = fixed32_ = {};
  ok_ = read_varint(&tag) && tag >> 3 != 0 && tag >> 32 == 0 && read_value(tag & 7);
  field_ = ok_ ? static_cast<uint32_t>(tag >> 3) : 0;
  return ok_;
}

bool WireReader::read_value(uint32_t kind) {
  uint64_t value = 0;
  std::string_view skipped;
  switch (kind) {
    case 0:
      if (!read_varint(&value)) return false;
      number_ = static_cast<int64_t>(value);
      return true;
    case 1:
      return read_bytes(8, &skipped);
    case 2:
      return read_varint(&value) && read_bytes(value, &bytes_);
    case 5:
      return read_bytes(4, &fixed32_);
    default:
      return false;
  }
}

bool WireReader::read_varint(uint64_t* value) {
  *value = 0;
  for (uint32_t shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) return false;
    const auto byte = static_cast<unsigned char>(rest_[0]);
    rest_.remove_prefix(1);
    *value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool WireReader::read_bytes(uint64_t count, std::string_view* bytes) {
  if (count > rest_.size()) return false;
  *bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return true;
}

float WireReader::real() const {
  float value = 0;
  if (fixed32_.size() == sizeof(value)) std::memcpy(&value, fixed32_.data(), sizeof(value));
  return value;
}

}  // namespace bouquet::tokenizer
