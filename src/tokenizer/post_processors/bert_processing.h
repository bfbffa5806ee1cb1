// BertProcessing and RobertaProcessing: templates that are known by name.
#pragma once

#include "absl/status/statusor.h"
#include "tokenizer/json_object.h"
#include "tokenizer/post_processors/post_processor.h"

namespace bouquet::tokenizer {

// cls A sep, and cls A sep B sep with B and its sep of type 1.
absl::StatusOr<PostProcessor> make_bert_processing(const JsonObject& json);

// cls A sep, and cls A sep sep B sep, all of type 0.
absl::StatusOr<PostProcessor> make_roberta_processing(const JsonObject& json);

}  // namespace bouquet::tokenizer
