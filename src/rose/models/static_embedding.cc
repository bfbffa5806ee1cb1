// Static embeddings (model2vec, Tulkens & van Dongen 2024; sentence-transformers' StaticEmbedding): a vector for each
// token, wherever it stands; all that is left to do is to pool them. Where the checkpoint has them, a mapping says
// which row a token has, and weights how much it counts.
#include "base/status.h"
#include "fmt/format.h"
#include "rose/layers/workspace.h"
#include "rose/models/architecture.h"

namespace bouquet::rose {
namespace {

constexpr int32_t kLongest = 1 << 17;  // tokens; nothing in the model ends there

class StaticEncoder : public Encoder {
 public:
  static absl::StatusOr<std::unique_ptr<Encoder>> load(Device& device, std::shared_ptr<Buffer> words, int32_t width,
                                                       const Limits& limits) {
    std::unique_ptr<StaticEncoder> encoder(new StaticEncoder(device));
    encoder->words_ = {std::move(words), DType::kF32, width};
    ASSIGN_OR_RETURN(encoder->vectors_, encoder->workspace_.matrix(limits.max_batch_tokens, width));
    return encoder;
  }
  Tensor forward(const ops::Context& context) override {
    ops::embed(context, {words_.view(), 1, {}, {}}, vectors_);
    return vectors_;
  }

 private:
  explicit StaticEncoder(Device& device) : workspace_(device) {}
  Workspace workspace_;
  Table words_;
  Tensor vectors_;  // [tokens][width]
};

// [tokens of the vocabulary][width]
struct StaticTable {
  std::string name;  // of the tensor of vectors
  int32_t rows = 0;  // of it
  int32_t vocab_size = 0;
  int32_t width = 0;
};

absl::StatusOr<std::unique_ptr<Buffer>> make_words(const StaticTable& table, WeightReader& reader, Device& device) {
  const auto width = static_cast<size_t>(table.width);
  ASSIGN_OR_RETURN(const std::vector<float> vectors, reader.values(table.name));
  std::vector<float> mapping, weights;
  if (reader.has("mapping")) {
    ASSIGN_OR_RETURN(mapping, reader.values("mapping"));
  }
  if (reader.has("weights")) {
    ASSIGN_OR_RETURN(weights, reader.values("weights"));
  }
  const auto vocab_size = static_cast<size_t>(table.vocab_size);
  if ((!mapping.empty() && mapping.size() != vocab_size) || (!weights.empty() && weights.size() != vocab_size)) {
    return absl::InvalidArgumentError("mapping and weights of the vocabulary differ in length");
  }
  ASSIGN_OR_RETURN(std::unique_ptr<Buffer> buffer, device.allocate(vocab_size * width * sizeof(float)));
  auto* words = static_cast<float*>(buffer->data());
  for (size_t token = 0; token < vocab_size; ++token) {
    const auto row = mapping.empty() ? static_cast<int64_t>(token) : static_cast<int64_t>(mapping[token]);
    if (row < 0 || row >= table.rows) {
      return absl::InvalidArgumentError(fmt::format("mapping: token {} has row {} of {}", token, row, table.rows));
    }
    const float weight = weights.empty() ? 1.0f : weights[token];
    for (size_t i = 0; i < width; ++i) words[token * width + i] = weight * vectors[size_t(row) * width + i];
  }
  return buffer;
}

absl::StatusOr<StaticTable> find_table(const Checkpoint& checkpoint) {
  const TensorMap& tensors = checkpoint.tensors();
  for (const char* name : {"embedding.weight", "embeddings"}) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) continue;
    const std::vector<int64_t>& shape = found->second.shape;
    if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1 || shape[0] > INT32_MAX || shape[1] > INT32_MAX) break;
    StaticTable table{name, static_cast<int32_t>(shape[0]), static_cast<int32_t>(shape[0]),
                      static_cast<int32_t>(shape[1])};
    const auto mapping = tensors.find("mapping");
    if (mapping != tensors.end() && mapping->second.shape.size() == 1 && mapping->second.shape[0] >= 1 &&
        mapping->second.shape[0] < INT32_MAX) {
      table.vocab_size = static_cast<int32_t>(mapping->second.shape[0]);
    }
    return table;
  }
  return absl::InvalidArgumentError(
      fmt::format("{}: no embeddings [tokens][width] of a static model", checkpoint.path().string()));
}

}  // namespace

absl::StatusOr<Architecture> static_embedding(const Checkpoint& checkpoint) {
  ASSIGN_OR_RETURN(const StaticTable table, find_table(checkpoint));
  Architecture a;
  a.name = "static";
  a.sizes = {table.width, table.vocab_size, 1, kLongest};
  a.load = [table](WeightReader& reader, Device& device,
                   const Limits& limits) -> absl::StatusOr<std::unique_ptr<Encoder>> {
    ASSIGN_OR_RETURN(auto words, reader.derived(table.name, [&] { return make_words(table, reader, device); }));
    return StaticEncoder::load(device, std::move(words), table.width, limits);
  };
  a.unused = {"mapping", "weights", table.name == "embeddings" ? "embeddings" : "embedding.weight"};
  return a;
}

}  // namespace bouquet::rose
