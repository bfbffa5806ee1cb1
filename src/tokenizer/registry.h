// The one place where the "type" of a component in tokenizer.json chooses the code for it.
//
// A new component is a file of its own and a line in registry.cc. Unknown types are UNIMPLEMENTED, naming the type.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "tokenizer/decoders/decoder.h"
#include "tokenizer/json_object.h"
#include "tokenizer/models/model.h"
#include "tokenizer/normalizers/normalizer.h"
#include "tokenizer/post_processors/post_processor.h"
#include "tokenizer/pre_tokenizers/pre_tokenizer.h"

namespace bouquet::tokenizer {

// All read the field of their name in `root`. Where it is null or absent the pointer is null.
absl::StatusOr<std::unique_ptr<const Normalizer>> make_normalizer(const JsonObject& root);
absl::StatusOr<std::unique_ptr<const PreTokenizer>> make_pre_tokenizer(const JsonObject& root);
absl::StatusOr<std::unique_ptr<const Decoder>> make_decoder(const JsonObject& root);
absl::StatusOr<PostProcessor> make_post_processor(const JsonObject& root);

// Never null. `byte_level`: the pre-tokenizer is; the model's reads_bytes() tells whether it takes it so.
absl::StatusOr<std::unique_ptr<const Model>> make_model(const JsonObject& root, bool byte_level);

}  // namespace bouquet::tokenizer
