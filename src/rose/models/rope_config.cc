// Frequencies in f32 step by step, as transformers' modeling_rope_utils computes them.
#include "rose/models/rope_config.h"

#include <algorithm>
#include <cmath>

#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::rose {
namespace {

// What scalings are computed from.
struct Scaling {
  const JsonConfig& parameters;
  double theta;
  int32_t max_positions;
};

absl::Status scale_linear(const Scaling& s, RopeConfig* rope) {
  ASSIGN_OR_RETURN(const double factor, s.parameters.number_or("factor", 1));
  for (float& frequency : rope->frequencies) frequency /= static_cast<float>(factor);
  return absl::OkStatus();
}

// Long wavelengths are divided by the factor, short ones stay, those between are blended (Llama 3.1).
absl::Status scale_llama3(const Scaling& s, RopeConfig* rope) {
  ASSIGN_OR_RETURN(const double factor, s.parameters.number_or("factor", 8));
  ASSIGN_OR_RETURN(const double low, s.parameters.number_or("low_freq_factor", 1));
  ASSIGN_OR_RETURN(const double high, s.parameters.number_or("high_freq_factor", 4));
  ASSIGN_OR_RETURN(const double before, s.parameters.number_or("original_max_position_embeddings", s.max_positions));
  for (float& frequency : rope->frequencies) {
    const double wavelength = 2 * M_PI / frequency;
    if (wavelength < before / high) continue;
    const double blend = (before / wavelength - low) / (high - low);
    const double keep = wavelength > before / low ? 0 : blend;
    frequency = static_cast<float>((1 - keep) * frequency / factor + keep * frequency);
  }
  return absl::OkStatus();
}

double magnitude(double factor, double scale) { return factor <= 1 ? 1 : 0.1 * scale * std::log(factor) + 1; }

// YaRN (Peng et al. 2023): a ramp between divided and untouched frequencies, and a factor on all of attention's logits.
absl::Status scale_yarn(const Scaling& s, RopeConfig* rope) {
  const JsonConfig& p = s.parameters;
  ASSIGN_OR_RETURN(const double before, p.number_or("original_max_position_embeddings", s.max_positions));
  ASSIGN_OR_RETURN(const double factor, p.number_or("factor", s.max_positions / before));
  ASSIGN_OR_RETURN(const double scale, p.number_or("mscale", 0));
  ASSIGN_OR_RETURN(const double scale_all, p.number_or("mscale_all_dim", 0));
  const double usual =
      scale != 0 && scale_all != 0 ? magnitude(factor, scale) / magnitude(factor, scale_all) : magnitude(factor, 1);
  ASSIGN_OR_RETURN(const double attention, p.number_or("attention_factor", usual));
  ASSIGN_OR_RETURN(const double fast, p.number_or("beta_fast", 32));
  ASSIGN_OR_RETURN(const double slow, p.number_or("beta_slow", 1));
  ASSIGN_OR_RETURN(const bool whole, p.boolean_or("truncate", true));
  const double dim = rope->rotary_dim;
  // The dimension that turns `rotations` times over the original length.
  const auto dimension = [&](double rotations) {
    return dim * std::log(before / (rotations * 2 * M_PI)) / (2 * std::log(s.theta));
  };
  double from = dimension(fast), to = dimension(slow);
  if (whole) from = std::floor(from), to = std::ceil(to);
  from = std::max(from, 0.0), to = std::min(to, dim - 1);
  if (from == to) to += 0.001;
  for (size_t i = 0; i < rope->frequencies.size(); ++i) {
    const double divided = std::clamp((static_cast<double>(i) - from) / (to - from), 0.0, 1.0);
    float& frequency = rope->frequencies[i];
    frequency = static_cast<float>(frequency / factor * divided + frequency * (1 - divided));
  }
  rope->scale = static_cast<float>(attention);
  return absl::OkStatus();
}

absl::Status apply_scaling(const std::string& kind, const Scaling& scaling, RopeConfig* rope) {
  if (kind == "default" || kind == "dynamic") return absl::OkStatus();
  if (kind == "linear") return scale_linear(scaling, rope);
  if (kind == "llama3") return scale_llama3(scaling, rope);
  if (kind == "yarn") return scale_yarn(scaling, rope);
  return absl::UnimplementedError(
      fmt::format("{}: rope type \"{}\" is not supported", scaling.parameters.name(), kind));
}

// The object that holds the parameters; none: all are defaults.
absl::StatusOr<std::optional<JsonConfig>> find_parameters(const JsonConfig& config, std::string_view layer_type) {
  for (const char* key : {"rope_parameters", "rope_scaling"}) {
    ASSIGN_OR_RETURN(std::optional<JsonConfig> parameters, config.object(key));
    if (!parameters) continue;
    if (!layer_type.empty() && parameters->has(layer_type)) return parameters->object(layer_type);
    return parameters;
  }
  return std::nullopt;
}

// The first pairs of a head turn as they would if all did; the others stand still.
absl::StatusOr<RopeConfig> proportional_rope(const JsonConfig& parameters, int32_t head_dim, double theta,
                                             double partial) {
  ASSIGN_OR_RETURN(const double factor, parameters.number_or("factor", 1));
  if (theta <= 0 || factor <= 0 || partial < 0 || partial > 1 || head_dim < 2 || head_dim % 2) {
    return absl::InvalidArgumentError(fmt::format("{}: impossible rotary positions", parameters.name()));
  }
  RopeConfig rope = plain_rope(head_dim, theta);
  const auto turning = static_cast<size_t>(partial * head_dim / 2);
  for (size_t i = 0; i < rope.frequencies.size(); ++i) {
    rope.frequencies[i] = i < turning ? rope.frequencies[i] / static_cast<float>(factor) : 0;
  }
  return rope;
}

}  // namespace

RopeConfig plain_rope(int32_t dim, double theta) {
  RopeConfig rope{.rotary_dim = dim, .frequencies = {}, .scale = 1};
  for (int32_t i = 0; i < dim; i += 2) {
    const float exponent = static_cast<float>(i) / static_cast<float>(dim);
    rope.frequencies.push_back(1.0f / static_cast<float>(std::pow(theta, exponent)));
  }
  return rope;
}

absl::StatusOr<RopeConfig> parse_rope(const JsonConfig& config, int32_t head_dim, const RopeDefaults& defaults) {
  ASSIGN_OR_RETURN(double theta, config.number_or("rope_theta", defaults.theta));
  ASSIGN_OR_RETURN(double partial, config.number_or("partial_rotary_factor", defaults.partial));
  ASSIGN_OR_RETURN(const std::optional<JsonConfig> parameters, find_parameters(config, defaults.layer_type));
  if (parameters) {
    ASSIGN_OR_RETURN(theta, parameters->number_or("rope_theta", theta));
    ASSIGN_OR_RETURN(partial, parameters->number_or("partial_rotary_factor", partial));
    ASSIGN_OR_RETURN(const std::string kind, parameters->string_or("rope_type", "default"));
    if (kind == "proportional") return proportional_rope(*parameters, head_dim, theta, partial);
  }
  const auto dim = static_cast<int32_t>(head_dim * partial);
  if (theta <= 0 || dim < 2 || dim % 2 || dim > head_dim) {
    return absl::InvalidArgumentError(
        fmt::format("{}: rotary positions over {} of {} values, theta {}", config.name(), dim, head_dim, theta));
  }
  RopeConfig rope = plain_rope(dim, theta);
  if (!parameters) return rope;
  ASSIGN_OR_RETURN(const std::string old_kind, parameters->string_or("type", "default"));
  ASSIGN_OR_RETURN(const std::string kind, parameters->string_or("rope_type", old_kind));
  ASSIGN_OR_RETURN(const int32_t max_positions, config.integer_or("max_position_embeddings", 2048));
  RETURN_IF_ERROR(apply_scaling(kind, {*parameters, theta, max_positions}, &rope));
  return rope;
}

}  // namespace bouquet::rose
