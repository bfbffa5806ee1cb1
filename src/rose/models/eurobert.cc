// EuroBERT (Boizard et al. 2025): Llama's layers in both directions.
#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/decoder.h"

namespace bouquet::rose {

absl::StatusOr<Architecture> eurobert(const JsonConfig& config) {
  ASSIGN_OR_RETURN(DecoderConfig c, parse_decoder(config, {.epsilon = 1e-5}));
  for (DecoderLayer& layer : c.layers) layer.right = kUnbounded;
  Architecture a = decoder_architecture("eurobert", std::move(c));
  ASSIGN_OR_RETURN(const std::string pooling, config.string_or("classifier_pooling", "late"));
  if (pooling != "late" && pooling != "bos" && pooling != "mean") {
    return absl::UnimplementedError(fmt::format("{}: classifier_pooling \"{}\"", config.name(), pooling));
  }
  a.classifier = {.pooling = pooling == "bos" ? Pooling::kCls : Pooling::kMean,
                  .dense = "dense",
                  .dense_first = pooling == "late",
                  .activation = Activation::kGelu,
                  .output = "classifier"};
  a.remote_code = {"EuroBertModel", "EuroBertForMaskedLM", "EuroBertForSequenceClassification",
                   "EuroBertForTokenClassification", "EuroBertPreTrainedModel"};
  return a;
}

}  // namespace bouquet::rose
