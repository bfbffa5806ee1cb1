// DeBERTa v2 and v3 (He et al. 2020, 2021): a post-norm BERT whose attention knows positions by distance alone, apart
// from content: each layer projects one table of distances to keys and queries of its own.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/models/bert_config.h"
#include "rose/models/model_directory.h"

namespace bouquet::rose {
namespace {

struct DebertaConfig {
  PostNormConfig encoder;
  int32_t max_positions = 0;
  int32_t span = 0;          // distances from -span to span have places
  int32_t buckets = 0;       // 0: a distance is its own bucket
  int32_t max_relative = 0;  // distances that buckets reach
  bool by_query = false;     // a query's product with keys of distances (c2p)
  bool by_key = false;       // a key's product with queries of distances (p2c)
  bool shares_keys = false;  // distances are projected as the content is
  bool norm_places = false;
};

PostNormLayerNames layer_names(int32_t index) {
  const std::string layer = fmt::format("encoder.layer.{}.", index), self = layer + "attention.self.";
  return {.attention = {.qkv = {self + "query_proj", self + "key_proj", self + "value_proj"},
                        .output = layer + "attention.output.dense"},
          .attention_norm = layer + "attention.output.LayerNorm",
          .feed_forward = {.up = {layer + "intermediate.dense"}, .down = layer + "output.dense"},
          .output_norm = layer + "output.LayerNorm"};
}

// Half of the buckets are one distance wide, the rest grow by logarithm.
int32_t bucket_of(int32_t distance, const DebertaConfig& c) {
  const int32_t away = std::abs(distance), middle = c.buckets / 2;
  if (c.buckets == 0 || away <= middle) return distance;
  const float place = std::ceil(std::log(static_cast<float>(away) / static_cast<float>(middle)) /
                                static_cast<float>(std::log(static_cast<double>(c.max_relative - 1) / middle)) *
                                static_cast<float>(middle - 1)) +
                      static_cast<float>(middle);
  return static_cast<int32_t>(distance < 0 ? -place : place);
}

// "p2c|c2p", or a list.
absl::Status parse_kinds(const JsonConfig& config, DebertaConfig* c) {
  ASSIGN_OR_RETURN(const std::vector<std::string> kinds, config.strings("pos_att_type"));
  for (const std::string& kind : kinds) {
    c->by_query |= kind.find("c2p") != std::string::npos;
    c->by_key |= kind.find("p2c") != std::string::npos;
    if (kind.find("p2p") != std::string::npos) {
      return absl::UnimplementedError(fmt::format("{}: pos_att_type p2p is not supported", config.name()));
    }
  }
  return absl::OkStatus();
}

absl::Status check_variant(const JsonConfig& config, const DebertaConfig& c) {
  ASSIGN_OR_RETURN(const bool relative, config.boolean_or("relative_attention", false));
  ASSIGN_OR_RETURN(const int32_t kernel, config.integer_or("conv_kernel_size", 0));
  ASSIGN_OR_RETURN(const int32_t width, config.integer_or("embedding_size", c.encoder.embedding.hidden));
  if (relative && kernel <= 0 && width == c.encoder.embedding.hidden) return absl::OkStatus();
  return absl::UnimplementedError(
      fmt::format("{}: a DeBERTa without relative_attention, with conv_kernel_size or an embedding_size of its own is "
                  "not supported",
                  config.name()));
}

absl::Status parse_distances(const JsonConfig& config, DebertaConfig* c) {
  ASSIGN_OR_RETURN(c->buckets, config.integer_or("position_buckets", -1));
  ASSIGN_OR_RETURN(c->max_relative, config.integer_or("max_relative_positions", -1));
  if (c->max_relative < 1) c->max_relative = c->max_positions;
  c->span = c->buckets > 0 ? c->buckets : c->max_relative;
  c->buckets = std::max(c->buckets, 0);
  ASSIGN_OR_RETURN(c->shares_keys, config.boolean_or("share_att_key", false));
  ASSIGN_OR_RETURN(const std::string norm, config.string_or("norm_rel_ebd", "none"));
  c->norm_places = norm.find("layer_norm") != std::string::npos;
  RETURN_IF_ERROR(parse_kinds(config, c));
  constexpr int32_t kWidestSpan = 1 << 16;
  if (c->buckets == 1 || c->span < 1 || c->span > kWidestSpan)
    return absl::InvalidArgumentError(config.name() + ": impossible position_buckets");
  return absl::OkStatus();
}

absl::StatusOr<DebertaConfig> parse(const JsonConfig& config) {
  DebertaConfig c;
  ASSIGN_OR_RETURN(c.encoder, parse_bert_sizes(config));
  RETURN_IF_ERROR(check_variant(config, c));
  c.max_positions = c.encoder.embedding.places;
  RETURN_IF_ERROR(parse_distances(config, &c));
  ASSIGN_OR_RETURN(const double epsilon, config.number_or("layer_norm_eps", 1e-7));
  c.encoder.layer.norm.epsilon = c.encoder.embedding.norm.epsilon = static_cast<float>(epsilon);
  ASSIGN_OR_RETURN(c.encoder.embedding.types, config.integer_or("type_vocab_size", 0));
  ASSIGN_OR_RETURN(const bool biased, config.boolean_or("position_biased_input", true));
  if (!biased) c.encoder.embedding.places = 0;
  AttentionConfig& attention = c.encoder.layer.attention;
  const int32_t terms = 1 + (c.by_query ? 1 : 0) + (c.by_key ? 1 : 0);
  attention.scale = 1.0f / std::sqrt(static_cast<float>(attention.shape.head_dim * terms));
  return c;
}

// The place of every distance, query's position - key's, within +-reach.
absl::StatusOr<std::shared_ptr<Buffer>> make_rows(const DebertaConfig& c, int32_t reach, Device& device) {
  ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer, device.allocate((2 * size_t(reach) + 1) * sizeof(int32_t)));
  auto* rows = static_cast<int32_t*>(buffer->data());
  for (int32_t distance = -reach; distance <= reach; ++distance) {
    *rows++ = std::clamp(c.span + bucket_of(distance, c), 0, 2 * c.span - 1);
  }
  return buffer;
}

// The table of distances through a layer's projections, made once at load.
class PlaceProjector {
 public:
  static absl::StatusOr<PlaceProjector> create(const DebertaConfig& c, WeightReader& reader, Device& device) {
    PlaceProjector projector(c, reader, device);
    const int32_t hidden = c.encoder.embedding.hidden;
    ASSIGN_OR_RETURN(projector.table_, reader.table("encoder.rel_embeddings.weight", 2 * c.span, hidden));
    if (!c.norm_places) return projector;
    ASSIGN_OR_RETURN(const Norm norm, Norm::load(reader, "encoder.LayerNorm", hidden, c.encoder.layer.norm));
    ASSIGN_OR_RETURN(projector.normed_, device.allocate(size_t(2 * c.span) * hidden * sizeof(float)));
    RETURN_IF_ERROR(projector.run([&](const ops::Context& context) {
      norm.forward(context, projector.table_.view(), {}, {}, projector.places());
    }));
    return projector;
  }

  absl::StatusOr<std::shared_ptr<Buffer>> project(const std::string& name) {
    const int32_t hidden = config_.encoder.embedding.hidden;
    ASSIGN_OR_RETURN(const Linear linear, Linear::load(reader_, name, hidden, hidden));
    ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer,
                     device_.allocate(size_t(2 * config_.span) * hidden * sizeof(float)));
    RETURN_IF_ERROR(run([&](const ops::Context& context) {
      linear.forward(context, places(), Activation::kNone, {buffer->data(), DType::kF32, hidden, hidden},
                     context.tokens());
    }));
    return buffer;
  }

 private:
  PlaceProjector(const DebertaConfig& config, WeightReader& reader, Device& device)
      : config_(config), reader_(reader), device_(device) {}

  Tensor places() const {
    const int32_t hidden = config_.encoder.embedding.hidden;
    return normed_ ? Tensor{normed_->data(), DType::kF32, hidden, hidden} : table_.view();
  }
  // Over all places, as if they were tokens.
  absl::Status run(const std::function<void(const ops::Context&)>& enqueue) const {
    const Live live{2 * config_.span, 1, 2 * config_.span};
    const auto stream = device_.create_stream();
    enqueue({.stream = *stream, .kernels = reader_.kernels(), .live = &live});
    const auto done = device_.create_event();
    stream->record(*done);
    return done->wait();
  }

  const DebertaConfig& config_;
  WeightReader& reader_;
  Device& device_;
  Table table_;
  std::shared_ptr<Buffer> normed_;
};

absl::StatusOr<std::vector<RelativePlaces>> load_places(const DebertaConfig& c, WeightReader& reader, Device& device,
                                                        int32_t max_tokens) {
  std::vector<RelativePlaces> all;
  if (!c.by_query && !c.by_key) return all;
  RelativePlaces shared{.places = 2 * c.span, .reach = max_tokens - 1};
  ASSIGN_OR_RETURN(shared.rows, make_rows(c, shared.reach, device));
  ASSIGN_OR_RETURN(PlaceProjector projector, PlaceProjector::create(c, reader, device));
  for (int32_t i = 0; i < c.encoder.layers; ++i) {
    RelativePlaces places = shared;
    const std::string self = fmt::format("encoder.layer.{}.attention.self.", i);
    if (c.by_query) {
      ASSIGN_OR_RETURN(places.keys, projector.project(self + (c.shares_keys ? "key_proj" : "pos_key_proj")));
    }
    if (c.by_key) {
      ASSIGN_OR_RETURN(places.queries, projector.project(self + (c.shares_keys ? "query_proj" : "pos_query_proj")));
    }
    all.push_back(std::move(places));
  }
  return all;
}

absl::StatusOr<std::unique_ptr<Encoder>> load(const DebertaConfig& c, WeightReader& reader, Device& device,
                                              const Limits& limits) {
  PostNormNames names{.embedding = {.words = "embeddings.word_embeddings.weight", .norm = "embeddings.LayerNorm"},
                      .layer = layer_names};
  if (c.encoder.embedding.places > 0) names.embedding.places = "embeddings.position_embeddings.weight";
  if (c.encoder.embedding.types > 0) names.embedding.types = "embeddings.token_type_embeddings.weight";
  RETURN_IF_ERROR(reader.choose_prefix({"", "deberta.", "model."}, names.embedding.words));
  PostNormConfig placed = c.encoder;
  ASSIGN_OR_RETURN(placed.places, load_places(c, reader, device, limits.max_tokens));
  return PostNormEncoder::load(reader, device, placed, names, limits);
}

}  // namespace

absl::StatusOr<Architecture> deberta_v2(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const DebertaConfig c, parse(config));
  Architecture a;
  a.name = "deberta-v2";
  const EmbeddingConfig& e = c.encoder.embedding;
  a.sizes = {e.hidden, e.vocab_size, std::max(e.types, 1), c.max_positions};
  a.load = [c](WeightReader& reader, Device& device, const Limits& limits) { return load(c, reader, device, limits); };
  a.classifier.dense = "pooler.dense";
  ASSIGN_OR_RETURN(const std::string activation, config.string_or("pooler_hidden_act", "gelu"));
  ASSIGN_OR_RETURN(a.classifier.activation, parse_activation(activation));
  a.classifier.output = "classifier";
  a.unused = {"embeddings.position_ids",
              "lm_predictions.",
              "mask_predictions.",
              "cls.",
              "pooler.dense.weight",
              "pooler.dense.bias",
              "embeddings.position_embeddings.weight",
              "deberta.embeddings.position_ids"};
  return a;
}

}  // namespace bouquet::rose
