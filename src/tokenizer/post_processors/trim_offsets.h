// trim_offsets of ByteLevel and RobertaProcessing: offsets without the white space at the ends of a token.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tokenizer/added_tokens.h"
#include "tokenizer/json_object.h"
#include "tokenizer/models/vocabulary.h"
#include "tokenizer/post_processors/post_processor.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::tokenizer {

// ByteLevel as a post-processor, which does nothing else.
absl::StatusOr<PostProcessor> make_byte_level_processing(const JsonObject& json);

class OffsetTrimmer {
 public:
  OffsetTrimmer() = default;
  // Does nothing where `passes` is empty.
  OffsetTrimmer(std::vector<OffsetTrim> passes, const Vocabulary& vocabulary, const AddedTokens& added);

  // The tokens kept of one text, in order.
  void trim(std::string_view text, std::span<const int32_t> ids, std::span<Offset> offsets) const;

 private:
  struct Spaces {
    uint32_t leading = 0, trailing = 0;  // characters
  };
  static Spaces spaces_of(std::string_view token);
  static void apply(const OffsetTrim& pass, std::string_view text, Spaces spaces, bool first, Offset* offset);

  std::vector<OffsetTrim> passes_;
  std::vector<Spaces> spaces_;  // by id
  std::vector<bool> widened_;   // by id: an added token that takes white space around it from the text
};

}  // namespace bouquet::tokenizer
