// layer_types, or the older count of layers.
#include "rose/models/layer_types.h"

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<std::vector<bool>> parse_full_layers(const JsonConfig& config, int32_t layers, EveryNth otherwise) {
  ASSIGN_OR_RETURN(const std::vector<std::string> types, config.strings("layer_types"));
  if (otherwise.every < 1 || (!types.empty() && static_cast<int32_t>(types.size()) != layers)) {
    return absl::InvalidArgumentError(config.name() + ": layer_types does not fit the layers");
  }
  std::vector<bool> full;
  for (int32_t i = 0; i < layers; ++i) {
    full.push_back(types.empty() ? i % otherwise.every == otherwise.first : types[i] == "full_attention");
  }
  return full;
}

}  // namespace bouquet::rose
