// Values are measured when they are read, and decoded when they are asked for.
#include "rose/weights/gguf_metadata.h"

#include <iterator>
#include <utility>

#include "absl/strings/escaping.h"
#include "base/status.h"
#include "base/utf8.h"
#include "fmt/format.h"

namespace bouquet::rose {
namespace {

constexpr uint64_t kMaxNameBytes = 1000;

enum ValueType : uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kString, kArray, kU64, kI64, kF64 };

absl::Status broken(const std::string& what) { return absl::InvalidArgumentError(what); }

size_t size_of_value(uint32_t type) {  // 0: not of one size, or unknown
  constexpr size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return type < std::size(kSizes) ? kSizes[type] : 0;
}

std::optional<std::string_view> take_string(ByteReader& in) {
  const auto length = in.take_number<uint64_t>();
  return length ? in.take_text(*length) : std::nullopt;
}

// Takes `count` elements of that type; none where they are not all there.
std::optional<std::span<const std::byte>> take_elements(ByteReader& in, uint32_t type, uint64_t count) {
  if (const size_t size = size_of_value(type); size > 0) {
    return count <= in.left() / size ? in.take_bytes(count * size) : std::nullopt;
  }
  ByteReader ahead = in;
  for (uint64_t i = 0; i < count; ++i) {
    if (!take_string(ahead)) return std::nullopt;
  }
  return in.take_bytes(ahead.at() - in.at());
}

template <class Number>
std::optional<int64_t> as_integer(ByteReader& in) {
  const auto number = in.take_number<Number>();
  return number ? std::optional<int64_t>(*number) : std::nullopt;
}

std::optional<int64_t> take_integer(uint32_t type, ByteReader& in) {
  switch (type) {
    case kU8:
      return as_integer<uint8_t>(in);
    case kI8:
      return as_integer<int8_t>(in);
    case kU16:
      return as_integer<uint16_t>(in);
    case kI16:
      return as_integer<int16_t>(in);
    case kU32:
      return as_integer<uint32_t>(in);
    case kI32:
      return as_integer<int32_t>(in);
    case kU64: {
      const auto number = as_integer<int64_t>(in);
      return number && *number >= 0 ? number : std::nullopt;
    }
    case kI64:
      return as_integer<int64_t>(in);
    default:
      return std::nullopt;
  }
}

std::optional<double> take_float(uint32_t type, ByteReader& in) {
  if (type == kF64) return in.take_number<double>();
  const auto number = type == kF32 ? in.take_number<float>() : std::nullopt;
  return number ? std::optional<double>(*number) : std::nullopt;
}

std::optional<bool> take_flag(uint32_t type, ByteReader& in) {
  const auto byte = type == kBool ? in.take_number<uint8_t>() : std::nullopt;
  return byte ? std::optional(*byte != 0) : std::nullopt;
}

std::optional<std::string_view> take_text(uint32_t type, ByteReader& in) {
  return type == kString ? take_string(in) : std::nullopt;
}

}  // namespace

absl::StatusOr<std::string_view> take_gguf_name(ByteReader& in) {
  const auto name = take_string(in);
  if (!name) return broken("cut short");
  if (name->empty() || name->size() > kMaxNameBytes || !is_valid_utf8(*name)) {
    return broken(fmt::format("a name is no text of 1 to {} bytes", kMaxNameBytes));
  }
  return *name;
}

absl::StatusOr<GgufMetadata::Value> GgufMetadata::take_value(ByteReader& in) {
  Value value;
  auto type = in.take_number<uint32_t>();
  if (type == kArray) {
    value.is_array = true;
    type = in.take_number<uint32_t>();
    const auto count = in.take_number<uint64_t>();
    if (!count) return broken("is cut short");
    value.count = *count;
  }
  if (!type) return broken("is cut short");
  value.type = *type;
  if (value.type != kString && size_of_value(value.type) == 0) {
    return broken(value.type == kArray ? "is an array of arrays" : fmt::format("has unknown type {}", value.type));
  }
  const auto bytes = take_elements(in, value.type, value.count);
  if (!bytes) return broken("is cut short");
  value.bytes = *bytes;
  return value;
}

absl::StatusOr<GgufMetadata> GgufMetadata::take(ByteReader& in, uint64_t count) {
  GgufMetadata metadata;
  for (uint64_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const std::string_view key, take_gguf_name(in));
    absl::StatusOr<Value> value = take_value(in);
    if (!value.ok() || !metadata.values_.emplace(key, *value).second) {
      return broken(fmt::format("key \"{}\" {}", absl::Utf8SafeCHexEscape(std::string(key)),
                                value.ok() ? "is there twice" : std::string(value.status().message())));
    }
  }
  return metadata;
}

template <class Element>
std::optional<Element> GgufMetadata::one(std::string_view key, Take<Element> take) const {
  const auto found = values_.find(key);
  if (found == values_.end() || found->second.is_array) return std::nullopt;
  ByteReader in(found->second.bytes);
  return take(found->second.type, in);
}

template <class Element>
std::optional<std::vector<Element>> GgufMetadata::all(std::string_view key, Take<Element> take) const {
  const auto found = values_.find(key);
  if (found == values_.end() || !found->second.is_array) return std::nullopt;
  ByteReader in(found->second.bytes);
  std::vector<Element> elements;
  for (uint64_t i = 0; i < found->second.count; ++i) {
    const std::optional<Element> element = take(found->second.type, in);
    if (!element) return std::nullopt;
    elements.push_back(*element);
  }
  return elements;
}

std::optional<std::string_view> GgufMetadata::text(std::string_view key) const { return one(key, &take_text); }
std::optional<int64_t> GgufMetadata::integer(std::string_view key) const { return one(key, &take_integer); }
std::optional<double> GgufMetadata::number(std::string_view key) const { return one(key, &take_float); }
std::optional<bool> GgufMetadata::flag(std::string_view key) const { return one(key, &take_flag); }

std::optional<std::vector<std::string_view>> GgufMetadata::texts(std::string_view key) const {
  return all(key, &take_text);
}
std::optional<std::vector<int64_t>> GgufMetadata::integers(std::string_view key) const {
  return all(key, &take_integer);
}
std::optional<std::vector<double>> GgufMetadata::numbers(std::string_view key) const { return all(key, &take_float); }
std::optional<std::vector<bool>> GgufMetadata::flags(std::string_view key) const { return all(key, &take_flag); }

}  // namespace bouquet::rose
