// A precompiled character map of SentencePiece: strings -> their replacement, as a double-array trie (Darts) and a pool
// of NUL-ended strings. Layout: u32 size of the trie in bytes, the trie's u32 units, the pool; little-endian.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::tokenizer {

class Charsmap {
 public:
  // INVALID_ARGUMENT: not such a map. Any bytes are safe to look things up in.
  static absl::StatusOr<Charsmap> parse(std::string_view bytes);

  // The replacement of the shortest key that `text` begins with.
  std::optional<std::string_view> find(std::string_view text) const;

 private:
  Charsmap() = default;

  std::vector<uint32_t> units_;
  std::string pool_;  // well-formed UTF-8
};

}  // namespace bouquet::tokenizer
