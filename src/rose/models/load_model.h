// From a model directory to a model on a device: the one place that knows which architectures there are.
#pragma once

#include <filesystem>

#include "rose/models/model.h"
#include "rose/weights/weight_reader.h"

namespace bouquet::rose {

struct LoadOptions {
  std::string dtype = "auto";    // of weight matrices: f32, bf16, or auto: the checkpoint's own (f16 becomes f32)
  int32_t max_length = 0;        // longest sequence, at most what the positions allow; 0: as the model's files say
  int64_t max_batch_tokens = 0;  // raised to the longest sequence
  int64_t max_batch_sequences = 0;
  std::vector<std::string> ignored_keys;  // of config.json, that somebody says change nothing
  std::string adapter = "";               // the task whose low-rank adapter is merged; "": none
  int32_t cache_tokens = 0;               // > 0: as a language model with room for so many tokens' keys and values
};

// UNIMPLEMENTED or INVALID_ARGUMENT name what can't be served right and why.
absl::StatusOr<Model> load_model(const std::filesystem::path& directory, const WeightPlace& place,
                                 const LoadOptions& options);

}  // namespace bouquet::rose
