// TemplateProcessing: the file spells out the templates.
#pragma once

#include "absl/status/statusor.h"
#include "tokenizer/json_object.h"
#include "tokenizer/post_processors/post_processor.h"

namespace bouquet::tokenizer {

absl::StatusOr<PostProcessor> make_template_processing(const JsonObject& json);

}  // namespace bouquet::tokenizer
