// The modules of a sentence-transformers directory: what each one's config says, put into a ModelDirectory.
#pragma once

#include "rose/models/json_config.h"
#include "rose/models/model_directory.h"

namespace bouquet::rose {

// The transformer alone, in `folder`: its length, its task, its case.
absl::Status read_transformer(const std::filesystem::path& folder, ModelDirectory* out);

// One entry of modules.json. Modules must come in the order that heads compute: Transformer, Pooling, Dense ...,
// Normalize for embeddings; Transformer, Dense ..., MultiVectorMask, Normalize for late interaction; Transformer,
// LogitScore for rerankers; Transformer, SpladePooling for sparse vectors; StaticEmbedding, Normalize. UNIMPLEMENTED
// names one that is not known, or stands elsewhere.
absl::Status read_module(const std::filesystem::path& directory, const JsonConfig& module, ModelDirectory* out);

}  // namespace bouquet::rose
