// Chooses the architecture by config.json's model_type, loads encoder and heads, and checks that nothing is left over.
#include "rose/models/load_model.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/hash.h"
#include "base/status.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "rose/models/architecture.h"
#include "rose/models/config_keys.h"
#include "rose/models/gguf_model.h"
#include "rose/models/heads.h"

namespace bouquet::rose {
namespace {

constexpr int32_t kMostPositions = 1 << 20;  // tokens of a sequence
constexpr int32_t kMostLabels = 1 << 20;

absl::StatusOr<DType> storage_dtype(const std::string& wanted, const Checkpoint& checkpoint) {
  if (wanted == "f32") return DType::kF32;
  if (wanted == "bf16") return DType::kBF16;
  if (wanted != "auto")
    return absl::InvalidArgumentError(fmt::format("unknown dtype \"{}\" (auto, f32, bf16)", wanted));
  for (const auto& [name, entry] : checkpoint.tensors()) {
    if (entry.dtype == DType::kBF16) return DType::kBF16;
  }
  return DType::kF32;
}

absl::StatusOr<std::vector<std::string>> read_labels(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const auto id2label, config.string_map("id2label"));
  if (id2label.empty()) {
    ASSIGN_OR_RETURN(const int32_t count, config.integer_or("num_labels", 2));
    if (count < 1 || count > kMostLabels)
      return absl::InvalidArgumentError(fmt::format("{}: {} labels", config.name(), count));
    std::vector<std::string> labels;
    for (int32_t i = 0; i < count; ++i) labels.push_back(fmt::format("LABEL_{}", i));
    return labels;
  }
  std::vector<std::string> labels(id2label.size());
  for (const auto& [id, label] : id2label) {
    const size_t index = static_cast<size_t>(std::atoi(id.c_str()));
    if (index >= labels.size())
      return absl::InvalidArgumentError(fmt::format("{}: id2label has no 0 to n-1 ids", config.name()));
    labels[index] = label;
  }
  return labels;
}

std::string pooling_name(const std::vector<Pooling>& poolings) {
  std::vector<std::string_view> names;
  for (const Pooling pooling : poolings) names.push_back(name_of(pooling));
  return fmt::format("{}", fmt::join(names, "+"));
}

absl::StatusOr<int32_t> choose_max_tokens(int32_t wanted, int32_t from_files, int32_t positions) {
  if (wanted < 0 || wanted > positions) {
    return absl::InvalidArgumentError(
        fmt::format("max length {} is not in 1 ... {}, the model's positions", wanted, positions));
  }
  if (wanted > 0) return wanted;
  return from_files > 0 ? std::min(from_files, positions) : positions;
}

int64_t count_parameters(const Checkpoint& checkpoint) {
  int64_t count = 0;
  for (const auto& [name, entry] : checkpoint.tensors()) {
    if (!entry.blocks && (!entry.dtype || *entry.dtype == DType::kI64)) continue;
    count += std::accumulate(entry.shape.begin(), entry.shape.end(), int64_t{1}, std::multiplies<>());
  }
  return count;
}

// All that decides what comes out: the weights of the encoder and of every head beside it, the config, the modules.
absl::StatusOr<uint64_t> fingerprint(const Checkpoint& checkpoint, const JsonConfig& config,
                                     const ModelDirectory& directory, const std::string& adapter) {
  uint64_t hash = hash_mix(checkpoint.fingerprint(), hash_bytes(config.text()));
  hash = hash_mix(hash, hash_bytes(pooling_name(directory.pooling)));
  hash = hash_mix(hash, hash_bytes(adapter));
  hash = hash_mix(hash, static_cast<uint64_t>(directory.task));
  for (const int32_t id : {directory.logit_score.true_id, directory.logit_score.false_id}) {
    hash = hash_mix(hash, static_cast<uint64_t>(id));
  }
  hash = hash_mix(hash, static_cast<uint64_t>(2 * directory.splade.logarithms + (directory.splade.sum ? 1 : 0)));
  for (const DenseModule& dense : directory.dense) {
    ASSIGN_OR_RETURN(const Checkpoint weights, Checkpoint::open(dense.weights));
    hash = hash_mix(hash_mix(hash, weights.fingerprint()), static_cast<uint64_t>(dense.activation));
  }
  for (const std::filesystem::path& file : {directory.sparse_linear, directory.colbert_linear}) {
    if (file.empty()) continue;
    ASSIGN_OR_RETURN(const Checkpoint weights, Checkpoint::open_file(file));
    hash = hash_mix(hash, weights.fingerprint());
  }
  return hash;
}

// A model that asks for code of its own is served where that code is known, by its class.
absl::Status check_remote_code(const JsonConfig& config, const Architecture& architecture) {
  ASSIGN_OR_RETURN(const auto map, config.string_map("auto_map"));
  for (const auto& [use, name] : map) {
    if (use == "AutoConfig" || use == "AutoTokenizer") continue;
    const std::string_view code = std::string_view(name).substr(name.rfind('.') + 1);
    if (std::find(architecture.remote_code.begin(), architecture.remote_code.end(), code) ==
        architecture.remote_code.end()) {
      return absl::UnimplementedError(
          fmt::format("{}: the model needs remote code ({} in auto_map), which is never run", config.name(), name));
    }
  }
  return absl::OkStatus();
}

absl::Status choose_adapter(const std::string& wanted, const Architecture& architecture, WeightReader& reader) {
  if (wanted.empty()) return absl::OkStatus();
  const auto& known = architecture.adapters;
  const auto found = std::find(known.begin(), known.end(), wanted);
  if (found == known.end()) {
    return absl::InvalidArgumentError(fmt::format("the model has no adapter \"{}\"{}{}", wanted,
                                                  known.empty() ? "" : "; it has: ", fmt::join(known, ", ")));
  }
  reader.use_adapter(static_cast<int32_t>(found - known.begin()), architecture.adapter_scale);
  return absl::OkStatus();
}

// What a loader of heads needs beside the model's directory.
struct HeadPlace {
  const JsonConfig& config;
  const Architecture& architecture;
  const WeightPlace& place;
  int64_t max_sequences;
};

absl::StatusOr<std::unique_ptr<Head>> load_classifier(const HeadPlace& p, WeightReader& reader, Model* model) {
  if (p.architecture.classifier.output.empty()) {
    return absl::UnimplementedError(
        fmt::format("{}: a classification head is not supported for {}", p.config.name(), p.architecture.name));
  }
  ASSIGN_OR_RETURN(model->info.labels, read_labels(p.config));
  return ClassifierHead::load(reader, p.place.device, p.architecture.classifier,
                              static_cast<int32_t>(model->info.labels.size()),
                              {p.architecture.sizes.hidden, p.max_sequences, model->max_batch_tokens});
}

// A head of tokens: each is pooled by itself, then goes through `dense`.
absl::Status add_token_head(Output output, const std::vector<DenseModule>& dense, const HeadPlace& p, Model* model) {
  ASSIGN_OR_RETURN(auto head, EmbeddingHead::load({Pooling::kCls}, dense, p.place, model->dtype,
                                                  {p.architecture.sizes.hidden, model->max_batch_tokens}));
  model->heads.push_back({output, std::move(head)});
  return absl::OkStatus();
}

// The embedding, the vectors of the tokens that it is made of, and what BGE-M3 makes of them beside it.
absl::Status load_embedding_heads(const ModelDirectory& directory, const HeadPlace& p, Model* model) {
  const int32_t hidden = p.architecture.sizes.hidden;
  ASSIGN_OR_RETURN(auto embedding, EmbeddingHead::load(directory.pooling, directory.dense, p.place, model->dtype,
                                                       {hidden, p.max_sequences}));
  model->info.dimensions = embedding->width();
  model->info.pooling = pooling_name(directory.pooling);
  model->heads.push_back({Output::kEmbedding, std::move(embedding)});
  RETURN_IF_ERROR(add_token_head(Output::kTokens, {}, p, model));
  if (!directory.sparse_linear.empty()) {
    const DenseModule weight{directory.sparse_linear, hidden, 1, Activation::kRelu};
    RETURN_IF_ERROR(add_token_head(Output::kLexical, {weight}, p, model));
  }
  if (!directory.colbert_linear.empty()) {
    const DenseModule vector{directory.colbert_linear, hidden, 0, Activation::kNone};
    RETURN_IF_ERROR(add_token_head(Output::kMultiVector, {vector}, p, model));
  }
  return absl::OkStatus();
}

// Where no module has the projection (Stanford's ColBERT), it lies among the encoder's tensors.
absl::Status load_multi_vector_head(const ModelDirectory& directory, const HeadPlace& p, Model* model) {
  std::vector<DenseModule> dense = directory.dense;
  if (dense.empty()) {
    dense.push_back({directory.transformer, p.architecture.sizes.hidden, 0, Activation::kNone, /*alone=*/false});
  }
  RETURN_IF_ERROR(add_token_head(Output::kMultiVector, dense, p, model));
  return add_token_head(Output::kTokens, {}, p, model);
}

absl::Status load_splade_head(const ModelDirectory& directory, const HeadPlace& p, WeightReader& reader, Model* model) {
  const MaskedLmConfig& config = p.architecture.masked_lm;
  if (config.dense.empty()) {
    return absl::UnimplementedError(fmt::format("{}: a masked language model's head is not supported for {}",
                                                p.config.name(), p.architecture.name));
  }
  const Sizes& sizes = p.architecture.sizes;
  ASSIGN_OR_RETURN(auto head, SpladeHead::load(reader, p.place.device, config, directory.splade,
                                               {sizes.hidden, config.width, sizes.vocab_size, p.max_sequences,
                                                model->max_batch_tokens}));
  model->heads.push_back({Output::kVocabulary, std::move(head)});
  return absl::OkStatus();
}

absl::Status load_language_model_head(const HeadPlace& p, WeightReader& reader, Model* model) {
  const Sizes& sizes = p.architecture.sizes;
  const bool tied = p.architecture.language_model == LanguageModel::kTied;
  ASSIGN_OR_RETURN(auto head, LanguageModelHead::load(reader, p.place.device, tied, sizes.vocab_size,
                                                      {sizes.hidden, p.max_sequences}));
  model->heads.push_back({Output::kNextWord, std::move(head)});
  return absl::OkStatus();
}

absl::Status load_heads(const ModelDirectory& directory, const HeadPlace& p, WeightReader& reader, Model* model) {
  switch (directory.task) {
    case Task::kEmbedding:
      return load_embedding_heads(directory, p, model);
    case Task::kMultiVector:
      return load_multi_vector_head(directory, p, model);
    case Task::kSplade:
      return load_splade_head(directory, p, reader, model);
    case Task::kNextWord:
      return load_language_model_head(p, reader, model);
    case Task::kClassification: {
      ASSIGN_OR_RETURN(auto head, load_classifier(p, reader, model));
      model->heads.push_back({Output::kLogits, std::move(head)});
      return absl::OkStatus();
    }
    case Task::kLogitScore: {
      ASSIGN_OR_RETURN(auto head, LogitScoreHead::load(reader, p.place.device, directory.logit_score,
                                                       {p.architecture.sizes.hidden, p.max_sequences}));
      model->info.labels = {"LABEL_0"};
      model->heads.push_back({Output::kLogits, std::move(head)});
      return absl::OkStatus();
    }
  }
  return absl::InternalError("no such task");
}

// A static model is told by its tensors, all others by their config.
absl::StatusOr<JsonConfig> read_config(const ModelDirectory& directory) {
  if (is_gguf_path(directory.transformer)) return read_gguf_config(directory.transformer);
  if (directory.static_embedding) return JsonConfig::parse("{}", directory.transformer.string());
  return JsonConfig::load(directory.transformer / "config.json");
}

// A language model is what its config says; modules of an embedder beside it are not looked at.
absl::StatusOr<ModelDirectory> read_directory(const std::filesystem::path& path, const LoadOptions& options) {
  if (options.cache_tokens == 0) return ModelDirectory::read(path);
  ModelDirectory directory;
  directory.transformer = path;
  directory.task = Task::kNextWord;
  return directory;
}

absl::Status check_language_model(const JsonConfig& config, const Architecture& architecture) {
  if (architecture.language_model != LanguageModel::kNone) return absl::OkStatus();
  return absl::UnimplementedError(
      fmt::format("{}: {} is no causal language model that can be run (those of llama, mistral, qwen2 and qwen3 can)",
                  config.name(), architecture.name));
}

}  // namespace

absl::StatusOr<Model> load_model(const std::filesystem::path& path, const WeightPlace& place,
                                 const LoadOptions& options) {
  ASSIGN_OR_RETURN(const ModelDirectory directory, read_directory(path, options));
  ASSIGN_OR_RETURN(const JsonConfig config, read_config(directory));
  ASSIGN_OR_RETURN(const Checkpoint checkpoint, Checkpoint::open(directory.transformer));
  ASSIGN_OR_RETURN(const Architecture architecture,
                   directory.static_embedding ? static_embedding(checkpoint) : parse_architecture(config));
  RETURN_IF_ERROR(check_remote_code(config, architecture));
  std::vector<std::string> ignored;
  RETURN_IF_ERROR(check_config_keys(config, architecture.keys_without_effect, options.ignored_keys, &ignored));
  const Sizes& sizes = architecture.sizes;
  if (sizes.max_positions < 1 || sizes.max_positions > kMostPositions) {
    return absl::InvalidArgumentError(fmt::format("{}: {} positions", config.name(), sizes.max_positions));
  }
  Model model;
  ASSIGN_OR_RETURN(model.dtype, storage_dtype(options.dtype, checkpoint));
  ModelInfo& info = model.info;
  info.architecture = architecture.name;
  info.ignored_keys = std::move(ignored);
  ASSIGN_OR_RETURN(info.max_tokens, choose_max_tokens(options.max_length, directory.max_tokens, sizes.max_positions));
  info.vocab_size = sizes.vocab_size;
  info.type_vocab_size = sizes.token_types;
  info.normalize = directory.normalize;
  info.lowercase = directory.lowercase;
  info.tanh_int8 = directory.tanh_int8;
  info.parameters = count_parameters(checkpoint);
  const bool generates = directory.task == Task::kNextWord;
  if (generates) RETURN_IF_ERROR(check_language_model(config, architecture));
  model.max_batch_tokens =
      generates ? options.max_batch_tokens : std::max<int64_t>(options.max_batch_tokens, info.max_tokens);
  WeightReader reader(checkpoint, place, model.dtype);
  RETURN_IF_ERROR(choose_adapter(options.adapter, architecture, reader));
  ASSIGN_OR_RETURN(model.encoder,
                   architecture.load(reader, place.device,
                                     {info.max_tokens, model.max_batch_tokens, options.cache_tokens / kBlockTokens}));
  RETURN_IF_ERROR(load_heads(directory, {config, architecture, place, options.max_batch_sequences}, reader, &model));
  std::vector<std::string_view> unused = architecture.unused;
  if (directory.task == Task::kMultiVector) unused.push_back("linear.weight");
  RETURN_IF_ERROR(reader.check_all_taken(unused));
  ASSIGN_OR_RETURN(info.fingerprint, fingerprint(checkpoint, config, directory, options.adapter));
  return model;
}

}  // namespace bouquet::rose
