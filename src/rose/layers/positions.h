// What attention knows of positions beyond the tokens themselves: rotary tables and biases by distance. Made once at
// load, shared by all layers that use them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/device/device.h"
#include "rose/kernels/kernels.h"

namespace bouquet::rose {

// How a position becomes angles: angle i of position p is p * frequencies[i], and both cosine and sine are scaled.
struct RopeConfig {
  int32_t rotary_dim = 0;          // leading values of a head that turn, even
  std::vector<float> frequencies;  // [rotary_dim / 2]
  float scale = 1;                 // of cosines and sines (YaRN's attention factor)
};

struct RopeTable {
  int32_t rotary_dim = 0;
  std::shared_ptr<Buffer> cosines;  // [positions][rotary_dim / 2]
  std::shared_ptr<Buffer> sines;

  static absl::StatusOr<std::shared_ptr<const RopeTable>> create(Device& device, const RopeConfig& config,
                                                                 int32_t positions);
};

// A score's bias by head and by key's position - query's.
struct DistanceBias {
  int32_t reach = 0;               // distances beyond +-reach have the bias of +-reach
  std::shared_ptr<Buffer> values;  // [heads][2 * reach + 1]

  // `value(head, distance)` for every distance within the reach.
  static absl::StatusOr<std::shared_ptr<const DistanceBias>> create(
      Device& device, int32_t heads, int32_t reach, const std::function<float(int32_t, int32_t)>& value);
};

// What stands for distances in disentangled attention, one layer's.
struct RelativePlaces {
  int32_t places = 0;
  int32_t reach = 0;
  std::shared_ptr<Buffer> rows;     // int32 [2 * reach + 1] the place of each distance, query's position - key's
  std::shared_ptr<Buffer> keys;     // f32 [places][heads * head_dim] or null
  std::shared_ptr<Buffer> queries;  // likewise
};

// Which bucket a distance (key's position - query's) falls into: half of the buckets for keys behind the query, half
// for those before it; small distances have one each, larger ones share them by logarithm up to `max_distance` (T5,
// Raffel et al. 2020; MPNet takes the same).
int32_t relative_bucket(int32_t distance, int32_t buckets, int32_t max_distance);

}  // namespace bouquet::rose
