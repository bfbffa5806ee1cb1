// Which layers see the whole sequence, where the others see a window.
#pragma once

#include <vector>

#include "rose/models/json_config.h"

namespace bouquet::rose {

// Layers `first`, `first` + `every`, ...
struct EveryNth {
  int32_t first = 0;
  int32_t every = 1;
};

// By layer, whether it sees all: what layer_types calls "full_attention", or without it `otherwise`. INVALID_ARGUMENT
// where they do not fit the layers.
absl::StatusOr<std::vector<bool>> parse_full_layers(const JsonConfig& config, int32_t layers, EveryNth otherwise);

}  // namespace bouquet::rose
