// One walk over the parsed values.
#include "tokenizer/fingerprint.h"

#include <bit>

#include "base/hash.h"

namespace bouquet::tokenizer {
namespace {

using simdjson::dom::element_type;

constexpr uint64_t kVersion = 2;  // raised when the same file comes to give other ids
constexpr uint64_t kEnd = 0xE0D;  // of an array or object

uint64_t number_bits(const JsonElement& element) {
  switch (element.type()) {
    case element_type::DOUBLE:
      return std::bit_cast<uint64_t>(double(element));
    case element_type::INT64:
      return static_cast<uint64_t>(int64_t(element));
    case element_type::UINT64:
      return uint64_t(element);
    case element_type::BOOL:
      return bool(element) ? 1 : 0;
    default:
      return 0;  // null
  }
}

uint64_t hash_of(const JsonElement& element, uint64_t hash) {
  hash = hash_mix(hash, static_cast<uint64_t>(element.type()));
  switch (element.type()) {
    case element_type::ARRAY:
      for (const JsonElement item : simdjson::dom::array(element)) hash = hash_of(item, hash);
      return hash_mix(hash, kEnd);
    case element_type::OBJECT:
      for (const auto field : simdjson::dom::object(element)) hash = hash_of(field.value, hash_bytes(field.key, hash));
      return hash_mix(hash, kEnd);
    case element_type::STRING:
      return hash_bytes(std::string_view(element), hash);
    default:
      return hash_mix(hash, number_bits(element));
  }
}

}  // namespace

uint64_t fingerprint_of(const JsonObject& root) {
  uint64_t hash = kVersion;
  for (const std::string_view key : {"added_tokens", "normalizer", "pre_tokenizer", "model", "post_processor"}) {
    hash = hash_bytes(key, hash);
    if (const std::optional<JsonElement> element = root.find(key)) hash = hash_of(*element, hash);
  }
  return hash;
}

}  // namespace bouquet::tokenizer
