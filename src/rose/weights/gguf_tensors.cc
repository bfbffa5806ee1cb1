// Names by tables, one an architecture; the rows of Llama's queries and keys back in their order.
#include "rose/weights/gguf_tensors.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/weights/gguf.h"

namespace bouquet::rose {
namespace {

struct Name {
  std::string_view here;   // without .weight and .bias, and what stands before a layer's own names
  std::string_view there;  // likewise
};

constexpr Name kDecoderNames[] = {
    {"token_embd", "model.embed_tokens"}, {"output_norm", "model.norm"}, {"output", "lm_head"}};

constexpr Name kDecoderLayerNames[] = {
    {"attn_norm", "input_layernorm"},    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},      {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.o_proj"}, {"attn_q_norm", "self_attn.q_norm"},
    {"attn_k_norm", "self_attn.k_norm"}, {"ffn_norm", "post_attention_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},       {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"},
};

constexpr Name kBertNames[] = {
    {"token_embd", "embeddings.word_embeddings"},
    {"position_embd", "embeddings.position_embeddings"},
    {"token_types", "embeddings.token_type_embeddings"},
    {"token_embd_norm", "embeddings.LayerNorm"},
};

constexpr Name kBertLayerNames[] = {
    {"attn_q", "attention.self.query"},
    {"attn_k", "attention.self.key"},
    {"attn_v", "attention.self.value"},
    {"attn_output", "attention.output.dense"},
    {"attn_output_norm", "attention.output.LayerNorm"},
    {"ffn_up", "intermediate.dense"},
    {"ffn_down", "output.dense"},
    {"layer_output_norm", "output.LayerNorm"},
};

struct Family {
  std::string_view architecture;
  std::span<const Name> names;
  std::string_view layers;  // what transformers puts before a layer's number
  std::span<const Name> layer_names;
  bool turns_pairs;  // llama.cpp stores queries and keys for rotary positions of neighbouring values
};

constexpr Family kFamilies[] = {
    {"llama", kDecoderNames, "model.layers.", kDecoderLayerNames, true},
    {"qwen2", kDecoderNames, "model.layers.", kDecoderLayerNames, false},
    {"qwen3", kDecoderNames, "model.layers.", kDecoderLayerNames, false},
    {"bert", kBertNames, "encoder.layer.", kBertLayerNames, false},
};

absl::StatusOr<Family> family_of(const GgufMetadata& metadata) {
  const std::string_view architecture = metadata.text("general.architecture").value_or("");
  for (const Family& family : kFamilies) {
    if (family.architecture == architecture) return family;
  }
  return absl::UnimplementedError(
      fmt::format("GGUF of architecture \"{}\" is not supported (llama, qwen2, qwen3, bert are)", architecture));
}

std::string_view find(std::span<const Name> names, std::string_view here) {
  const auto found = std::find_if(names.begin(), names.end(), [here](const Name& name) { return name.here == here; });
  return found == names.end() ? "" : found->there;
}

// "blk.3.attn_q.weight" -> "model.layers.3.self_attn.q_proj.weight"; what no table has stays as it is, and is refused
// as left over.
std::string their_name(const Family& family, std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::string(name);
  const std::string_view suffix = name.substr(dot);
  std::string_view stem = name.substr(0, dot);
  constexpr std::string_view kLayer = "blk.";
  if (!stem.starts_with(kLayer)) {
    const std::string_view there = find(family.names, stem);
    return there.empty() ? std::string(name) : fmt::format("{}{}", there, suffix);
  }
  stem.remove_prefix(kLayer.size());
  const size_t end = stem.find('.');
  if (end == std::string_view::npos) return std::string(name);
  const std::string_view there = find(family.layer_names, stem.substr(end + 1));
  if (there.empty()) return std::string(name);
  return fmt::format("{}{}.{}{}", family.layers, stem.substr(0, end), there, suffix);
}

// Heads whose rows are turned by rotary positions; 0: those of another tensor.
int64_t turned_heads(const GgufMetadata& metadata, std::string_view name) {
  const int64_t heads = metadata.integer("llama.attention.head_count").value_or(0);
  if (name.ends_with(".attn_q.weight") || name.ends_with(".attn_q.bias")) return heads;
  if (name.ends_with(".attn_k.weight") || name.ends_with(".attn_k.bias")) {
    return metadata.integer("llama.attention.head_count_kv").value_or(heads);
  }
  return 0;
}

// Rows (pair, half) of each head -> (half, pair), in f32.
absl::StatusOr<std::vector<std::byte>> halves_together(const GgufTensor& tensor, int64_t heads) {
  const int64_t rows = tensor.shape.empty() ? 0 : tensor.shape[0];
  const int64_t width = tensor.shape.size() == 2 ? tensor.shape[1] : 1;
  if (heads < 1 || heads > rows || tensor.shape.size() > 2 || rows % (2 * heads) != 0) {
    return absl::InvalidArgumentError("rows that are no multiple of the heads");
  }
  std::vector<float> stored(static_cast<size_t>(rows * width)), turned(stored.size());
  RETURN_IF_ERROR(dequantise(tensor, 0, stored));
  const int64_t pairs = rows / heads / 2;
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t head = row / (2 * pairs), half = row / pairs % 2, pair = row % pairs;
    const auto from = stored.begin() + ((head * pairs + pair) * 2 + half) * width;
    std::copy_n(from, width, turned.begin() + row * width);
  }
  const auto bytes = std::as_bytes(std::span(turned));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

TensorEntry entry_of(const GgufTensor& tensor) {
  const std::string_view type = tensor.type->name;
  TensorEntry entry{std::nullopt, tensor.shape, tensor.bytes};
  if (type == "F32") entry.dtype = DType::kF32;
  if (type == "F16") entry.dtype = DType::kF16;
  if (type == "BF16") entry.dtype = DType::kBF16;
  if (!entry.dtype) entry.blocks = tensor.type;
  return entry;
}

}  // namespace

absl::StatusOr<GgufTensors> parse_gguf_tensors(std::span<const std::byte> bytes) {
  ASSIGN_OR_RETURN(const GgufFile file, parse_gguf(bytes));
  ASSIGN_OR_RETURN(const Family family, family_of(file.metadata));
  GgufTensors out;
  for (const auto& [name, tensor] : file.tensors) {
    TensorEntry entry = entry_of(tensor);
    if (const int64_t heads = family.turns_pairs ? turned_heads(file.metadata, name) : 0; heads != 0) {
      absl::StatusOr<std::vector<std::byte>> turned = halves_together(tensor, heads);
      if (!turned.ok()) {
        return absl::InvalidArgumentError(
            fmt::format("tensor \"{}\" has {}", name, std::string(turned.status().message())));
      }
      out.copies.push_back(*std::move(turned));
      entry = {DType::kF32, tensor.shape, out.copies.back()};
    }
    if (!out.tensors.emplace(their_name(family, name), std::move(entry)).second) {
      return absl::InvalidArgumentError(fmt::format("tensor \"{}\" is there under another name too", name));
    }
  }
  return out;
}

}  // namespace bouquet::rose
