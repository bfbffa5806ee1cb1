// Rotary positions as config.json states them, in the schema of transformers 5 (rope_parameters) and before it
// (rope_theta, rope_scaling).
#pragma once

#include "rose/layers/positions.h"
#include "rose/models/json_config.h"

namespace bouquet::rose {

struct RopeDefaults {
  double theta = 10000;         // where the config has none
  double partial = 1;           // share of a head that turns, where the config has none
  std::string_view layer_type;  // where rope_parameters has one object a layer type; "": it has not
};

// UNIMPLEMENTED names a kind of scaling that is not built. Kinds that change nothing up to max_position_embeddings
// tokens (dynamic) are taken as unscaled: longer sequences are never run.
absl::StatusOr<RopeConfig> parse_rope(const JsonConfig& config, int32_t head_dim, const RopeDefaults& defaults);

// theta^(-2 i / dim), i below dim / 2.
RopeConfig plain_rope(int32_t dim, double theta);

}  // namespace bouquet::rose
