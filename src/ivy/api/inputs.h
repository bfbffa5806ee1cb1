// The forms in which clients send texts and token ids, shared by the dialects.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "ivy/api/json.h"
#include "ivy/job.h"

namespace bouquet::ivy {

struct Inputs {
  std::vector<Input> list;
  bool single = false;  // one input, not a list of them
};

// string | [string] | [int], which is one input | [[int]]; lists may mix strings, lists of ids and {"text": string}.
absl::StatusOr<Inputs> read_inputs(JsonValue value, const std::string& field, size_t most);

// [string], not empty, at most `most`.
absl::StatusOr<std::vector<Input>> read_texts(JsonValue value, const std::string& field, size_t most);

// One list of token ids.
absl::StatusOr<TokenIds> read_ids(simdjson::dom::array list, const std::string& field);

// "left" or "right", in any case.
absl::StatusOr<tokenizer::TruncationSide> read_side(std::string_view text, const std::string& field);

// The lane that `priority` asks for: "online" or "bulk"; or a number, where more than 0 is bulk.
absl::StatusOr<std::optional<tulip::Lane>> read_lane(const Fields& fields);

}  // namespace bouquet::ivy
