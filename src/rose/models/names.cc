// Poolings and activations by the names that model files use.
#include <string>

#include "fmt/format.h"
#include "rose/models/model_directory.h"

namespace bouquet::rose {
namespace {

constexpr std::pair<std::string_view, Pooling> kPoolings[] = {
    {"cls", Pooling::kCls},
    {"mean", Pooling::kMean},
    {"max", Pooling::kMax},
    {"mean_sqrt_len_tokens", Pooling::kMeanSqrtLen},
    {"weightedmean", Pooling::kWeightedMean},
    {"lasttoken", Pooling::kLastToken},
};

constexpr std::pair<std::string_view, Activation> kActivations[] = {
    {"gelu", Activation::kGelu},
    {"gelu_new", Activation::kGeluTanh},
    {"gelu_pytorch_tanh", Activation::kGeluTanh},
    {"relu", Activation::kRelu},
    {"tanh", Activation::kTanh},
    {"silu", Activation::kSilu},
    {"swish", Activation::kSilu},
    {"torch.nn.modules.linear.Identity", Activation::kNone},
    {"torch.nn.modules.activation.Tanh", Activation::kTanh},
    {"torch.nn.modules.activation.ReLU", Activation::kRelu},
    {"torch.nn.modules.activation.GELU", Activation::kGelu},
    {"torch.nn.modules.activation.Sigmoid", Activation::kSigmoid},
    {"torch.nn.modules.activation.SiLU", Activation::kSilu},
};

}  // namespace

absl::StatusOr<Pooling> parse_pooling(std::string_view name) {
  for (const auto& [known, pooling] : kPoolings) {
    if (name == known) return pooling;
  }
  return absl::UnimplementedError(fmt::format("pooling mode \"{}\" is not known", name));
}

std::string_view name_of(Pooling pooling) {
  for (const auto& [name, known] : kPoolings) {
    if (pooling == known) return name;
  }
  return "?";
}

absl::StatusOr<Activation> parse_activation(std::string_view name) {
  for (const auto& [known, activation] : kActivations) {
    if (name == known) return activation;
  }
  return absl::UnimplementedError(fmt::format("activation \"{}\" is not known", name));
}

}  // namespace bouquet::rose
