// Tables in f32; angles are products rounded to f32, as the original implementations compute them.
#include "rose/layers/positions.h"

#include <algorithm>
#include <cmath>

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<std::shared_ptr<const RopeTable>> RopeTable::create(Device& device, const RopeConfig& config,
                                                                   int32_t positions) {
  auto table = std::make_shared<RopeTable>();
  table->rotary_dim = config.rotary_dim;
  const size_t half = config.frequencies.size();
  ASSIGN_OR_RETURN(table->cosines, device.allocate(positions * half * sizeof(float)));
  ASSIGN_OR_RETURN(table->sines, device.allocate(positions * half * sizeof(float)));
  auto* cosines = static_cast<float*>(table->cosines->data());
  auto* sines = static_cast<float*>(table->sines->data());
  for (int32_t position = 0; position < positions; ++position) {
    for (const float frequency : config.frequencies) {
      const double angle = static_cast<float>(position) * frequency;
      *cosines++ = static_cast<float>(std::cos(angle)) * config.scale;
      *sines++ = static_cast<float>(std::sin(angle)) * config.scale;
    }
  }
  return table;
}

absl::StatusOr<std::shared_ptr<const DistanceBias>> DistanceBias::create(
    Device& device, int32_t heads, int32_t reach, const std::function<float(int32_t, int32_t)>& value) {
  auto bias = std::make_shared<DistanceBias>();
  bias->reach = reach;
  ASSIGN_OR_RETURN(bias->values, device.allocate(size_t(heads) * (2 * size_t(reach) + 1) * sizeof(float)));
  auto* values = static_cast<float*>(bias->values->data());
  for (int32_t head = 0; head < heads; ++head) {
    for (int32_t distance = -reach; distance <= reach; ++distance) *values++ = value(head, distance);
  }
  return bias;
}

int32_t relative_bucket(int32_t distance, int32_t buckets, int32_t max_distance) {
  const int32_t half = buckets / 2, exact = half / 2;
  const int32_t side = distance > 0 ? half : 0, away = std::abs(distance);
  if (away < exact) return side + away;
  const float place = std::log(static_cast<float>(away) / static_cast<float>(exact)) /
                      static_cast<float>(std::log(static_cast<double>(max_distance) / exact)) *
                      static_cast<float>(half - exact);
  return side + std::min(half - 1, exact + static_cast<int32_t>(place));
}

}  // namespace bouquet::rose
