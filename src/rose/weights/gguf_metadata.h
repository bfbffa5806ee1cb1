// The typed keys and values at the front of a GGUF file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/weights/byte_reader.h"

namespace bouquet::rose {

class GgufMetadata {
 public:
  // Takes so many entries. Views point into what is read, which must outlive the object. INVALID_ARGUMENT names the key
  // and what is wrong with it.
  static absl::StatusOr<GgufMetadata> take(ByteReader& in, uint64_t count);

  // None where the key is not there or has another kind of value. Texts are whatever bytes the file has.
  bool has(std::string_view key) const { return values_.contains(key); }
  std::optional<std::string_view> text(std::string_view key) const;
  std::optional<int64_t> integer(std::string_view key) const;  // of any width; none above INT64_MAX
  std::optional<double> number(std::string_view key) const;    // a float of either width
  std::optional<bool> flag(std::string_view key) const;
  std::optional<std::vector<std::string_view>> texts(std::string_view key) const;
  std::optional<std::vector<int64_t>> integers(std::string_view key) const;
  std::optional<std::vector<double>> numbers(std::string_view key) const;
  std::optional<std::vector<bool>> flags(std::string_view key) const;

 private:
  struct Value {
    uint32_t type = 0;  // of each element
    bool is_array = false;
    uint64_t count = 1;
    std::span<const std::byte> bytes;  // holds `count` whole elements
  };
  static absl::StatusOr<Value> take_value(ByteReader& in);
  template <class Element>
  using Take = std::optional<Element> (*)(uint32_t type, ByteReader& in);
  template <class Element>
  std::optional<Element> one(std::string_view key, Take<Element> take) const;
  template <class Element>
  std::optional<std::vector<Element>> all(std::string_view key, Take<Element> take) const;

  std::map<std::string, Value, std::less<>> values_;
};

// The key or name at the front of `in`: valid UTF-8 of 1 to 1000 bytes.
absl::StatusOr<std::string_view> take_gguf_name(ByteReader& in);

}  // namespace bouquet::rose
