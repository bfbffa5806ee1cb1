// Tables by name, then one op, a norm and a projection where there are.
#include "rose/layers/embedding.h"

#include "base/status.h"

namespace bouquet::rose {

absl::StatusOr<Embedding> Embedding::load(WeightReader& reader, Workspace& workspace, const EmbeddingNames& names,
                                          const EmbeddingConfig& config, int64_t tokens) {
  Embedding layer;
  layer.scale_ = config.scale;
  layer.first_place_ = config.first_place;
  if ((!names.places.empty() && config.places < 1) || (!names.types.empty() && config.types < 1)) {
    return absl::InvalidArgumentError("a table of places or of token types has no rows");
  }
  ASSIGN_OR_RETURN(layer.words_, reader.words(names.words, config.vocab_size, config.width));
  if (!names.places.empty()) {
    ASSIGN_OR_RETURN(layer.places_, reader.table(names.places, config.places, config.width));
  }
  if (!names.types.empty()) {
    ASSIGN_OR_RETURN(layer.types_, reader.table(names.types, config.types, config.width));
  }
  if (!names.norm.empty()) {
    ASSIGN_OR_RETURN(layer.norm_, Norm::load(reader, names.norm, config.width, config.norm));
  }
  if (config.width != config.hidden) {
    ASSIGN_OR_RETURN(layer.projection_, Linear::load(reader, names.projection, config.hidden, config.width));
    ASSIGN_OR_RETURN(layer.narrow_, workspace.matrix(tokens, config.width));
  }
  return layer;
}

void Embedding::forward(const ops::Context& context, const Tensor& y) const {
  const Tensor x = projection_ ? narrow_ : y;
  ops::EmbeddingTables tables{words_.view(), scale_, {}, {}};
  if (places_.data) {
    tables.places = places_.view();
    tables.places.data = tables.places.f32_row(first_place_);
  }
  if (types_.data) tables.types = types_.view();
  ops::embed(context, tables, x);
  if (norm_) norm_->forward(context, x, {}, {}, x);
  if (projection_) projection_->forward(context, x, Activation::kNone, y, context.tokens());
}

}  // namespace bouquet::rose
