// Takes little-endian numbers and runs of bytes off the front of untrusted bytes; what is not there is not taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace bouquet::rose {

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// What a take_ gives is in the bytes; none where they end before it, and then nothing was taken.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  size_t at() const { return at_; }  // bytes taken so far
  size_t left() const { return bytes_.size() - at_; }

  template <class Number>
  std::optional<Number> take_number() {
    if (left() < sizeof(Number)) return std::nullopt;
    Number number;
    std::memcpy(&number, bytes_.data() + at_, sizeof(number));
    at_ += sizeof(number);
    return number;
  }

  std::optional<std::span<const std::byte>> take_bytes(uint64_t count) {
    if (count > left()) return std::nullopt;
    const auto taken = bytes_.subspan(at_, count);
    at_ += count;
    return taken;
  }

  std::optional<std::string_view> take_text(uint64_t count) {
    const auto taken = take_bytes(count);
    return taken ? std::optional(as_text(*taken)) : std::nullopt;
  }

  // Up to the next line feed, which is taken too; none where it is not among the next `most` bytes.
  std::optional<std::string_view> take_line(size_t most) {
    const std::string_view rest = as_text(bytes_.subspan(at_)).substr(0, most);
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    at_ += end + 1;
    return rest.substr(0, end);
  }

 private:
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
};

}  // namespace bouquet::rose
