// One thread, one loop nest a kernel; nothing here is fast and nothing is clever.
#include "rose/kernels/reference/reference_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/status.h"
#include "rose/device/cpu/cpu_device.h"

namespace bouquet::rose::reference {
namespace {

double activate(double x, Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kGelu:
      return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
    case Activation::kGeluTanh:
      return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case Activation::kRelu:
      return std::max(x, 0.0);
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::kSilu:
      return x / (1 + std::exp(-x));
  }
  return x;
}

double weight_at(const PackedMatrix& w, int64_t row, int64_t col) {
  const int64_t at = row * w.k + col;
  if (w.dtype == DType::kBF16) return bf16_to_float(static_cast<const uint16_t*>(w.data->data())[at]);
  return static_cast<const float*>(w.data->data())[at];
}

float table_at(const Tensor& table, int64_t row, int32_t col) {
  if (!table.data) return 0;
  const int64_t at = row * table.stride + col;
  return table.dtype == DType::kBF16 ? bf16_to_float(static_cast<const uint16_t*>(table.data)[at]) : table.f32()[at];
}

void embed(const EmbedArgs& a) {
  for (int32_t t = 0; t < a.live->tokens; ++t) {
    for (int32_t i = 0; i < a.y.cols; ++i) {
      a.y.f32_row(t)[i] = a.scale * table_at(a.words, a.ids[t], i) + table_at(a.place_table, a.positions[t], i) +
                          table_at(a.type_table, a.token_types[t], i);
    }
  }
}

void linear(const LinearArgs& a) {
  for (int32_t row = 0; row < *a.rows; ++row) {
    for (int32_t n = 0; n < a.weight->n; ++n) {
      double sum = a.bias ? a.bias[n] : 0;
      for (int32_t k = 0; k < a.weight->k; ++k) sum += a.x.f32_row(row)[k] * weight_at(*a.weight, n, k);
      a.y.f32_row(row)[n] = static_cast<float>(activate(sum, a.activation));
    }
  }
}

// `values` normalised, without gamma and beta.
void normalize(NormKind kind, double epsilon, std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  double mean = 0, variance = 0;
  if (kind == NormKind::kLayer) {
    for (const double value : values) mean += value / n;
  }
  for (const double value : values) variance += (value - mean) * (value - mean) / n;
  for (double& value : values) value = (value - mean) / std::sqrt(variance + epsilon);
}

void norm(const NormArgs& a) {
  std::vector<double> values(a.x.cols);
  for (int32_t row = 0; row < *a.rows; ++row) {
    for (int32_t i = 0; i < a.x.cols; ++i) {
      const float x = a.x.f32_row(row)[i];
      const float sum = a.residual.data ? a.scale * (x + a.residual.f32_row(row)[i]) : x;
      values[i] = sum;
      if (a.sum.data) a.sum.f32_row(row)[i] = sum;
    }
    if (!a.y.data) continue;
    normalize(a.kind, a.epsilon, values);
    for (int32_t i = 0; i < a.x.cols; ++i) {
      a.y.f32_row(row)[i] = static_cast<float>(values[i] * (a.gamma ? a.gamma[i] : 1.0f) + (a.beta ? a.beta[i] : 0.0f));
    }
  }
}

void gate(const GateArgs& a) {
  for (int32_t row = 0; row < *a.rows; ++row) {
    const float* x = a.x.f32_row(row);
    for (int32_t i = 0; i < a.y.cols; ++i) {
      a.y.f32_row(row)[i] = static_cast<float>(activate(x[i], a.activation) * x[a.y.cols + i]);
    }
  }
}

void rope_head(const RopeArgs& a, float* head, const float* gamma, int32_t position) {
  std::vector<double> x(head, head + a.shape.head_dim);
  if (gamma) {
    normalize(NormKind::kRms, a.epsilon, x);
    for (int32_t i = 0; i < a.shape.head_dim; ++i) x[i] *= gamma[i];
  }
  std::copy(x.begin(), x.end(), head);
  const int32_t half = a.rotary_dim / 2;
  for (int32_t i = 0; i < half; ++i) {
    const double cosine = a.cosines[int64_t{position} * half + i], sine = a.sines[int64_t{position} * half + i];
    head[i] = static_cast<float>(x[i] * cosine - x[i + half] * sine);
    head[i + half] = static_cast<float>(x[i + half] * cosine + x[i] * sine);
  }
}

void rope(const RopeArgs& a) {
  for (int32_t t = 0; t < a.live->tokens; ++t) {
    for (int32_t h = 0; h < a.shape.heads + a.shape.kv_heads; ++h) {
      rope_head(a, a.qkv.f32_row(t) + h * a.shape.head_dim, h < a.shape.heads ? a.query_gamma : a.key_gamma,
                a.positions[t]);
    }
  }
}

double disentangled_products(const AttentionArgs& a, int32_t head, int32_t query, int32_t key) {
  const Disentangled& d = a.disentangled;
  if (!d.rows) return 0;
  const auto [heads, kv_heads, dim] = a.shape;
  const int32_t place = d.rows[d.reach + std::clamp(query - key, -d.reach, d.reach)];
  const float* q = a.qkv.f32_row(query) + head * dim;
  const float* k = a.qkv.f32_row(key) + (heads + head / (heads / kv_heads)) * dim;
  double sum = 0;
  for (int32_t i = 0; i < dim; ++i) {
    if (d.keys.data) sum += q[i] * d.keys.f32_row(place)[head * dim + i];
    if (d.queries.data) sum += k[i] * d.queries.f32_row(place)[head * dim + i];
  }
  return sum;
}

// One query row of one head over the keys [begin, end) that it sees.
void attend(const AttentionArgs& a, int32_t query, int32_t head, int32_t begin, int32_t end) {
  const auto [heads, kv_heads, dim] = a.shape;
  const int32_t key_at = (heads + head / (heads / kv_heads)) * dim, value_at = key_at + kv_heads * dim;
  const float* q = a.qkv.f32_row(query) + head * dim;
  std::vector<double> weights(end - begin);
  for (int32_t key = begin; key < end; ++key) {
    double dot = 0;
    for (int32_t i = 0; i < dim; ++i) dot += q[i] * a.qkv.f32_row(key)[key_at + i];
    dot += disentangled_products(a, head, query, key);
    weights[key - begin] = dot * a.scale;
    if (a.distance_bias) {
      const int32_t distance = std::clamp(key - query, -a.reach, a.reach);
      weights[key - begin] += a.distance_bias[int64_t{head} * (2 * a.reach + 1) + a.reach + distance];
    }
  }
  const double top = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - top);
  for (int32_t i = 0; i < dim; ++i) {
    double value = 0;
    for (int32_t key = begin; key < end; ++key) value += weights[key - begin] / sum * a.qkv.f32_row(key)[value_at + i];
    a.y.f32_row(query)[head * dim + i] = static_cast<float>(value);
  }
}

void attention(const AttentionArgs& a) {
  for (int32_t s = 0; s < a.live->sequences; ++s) {
    const int32_t start = a.cu_seqlens[s], stop = a.cu_seqlens[s + 1];
    for (int32_t query = start; query < stop; ++query) {
      const int32_t end = std::min(start + a.key_counts[s], query + std::min(a.right, stop - query - 1) + 1);
      const int32_t begin = std::min(std::max(start, query - a.left), end - 1);
      for (int32_t head = 0; head < a.shape.heads; ++head) attend(a, query, head, begin, end);
    }
  }
}

// Where a block keeps element i of a token's key or value.
int64_t block_offset(const HeadShape& shape, int32_t block, int32_t token, int32_t kv_head, int32_t i) {
  const int64_t head = block_values(shape) / shape.kv_heads;
  return block * block_values(shape) + kv_head * head + token % kBlockTokens * (head / kBlockTokens) + i;
}

void store(const AttentionArgs& a) {
  const Pages& p = a.pages;
  const auto [heads, kv_heads, dim] = a.shape;
  for (int32_t s = 0; s < a.live->sequences; ++s) {
    for (int32_t t = a.cu_seqlens[s]; t < a.cu_seqlens[s + 1]; ++t) {
      const int32_t position = p.past[s] + t - a.cu_seqlens[s];
      const int32_t block = p.tables[s * p.table_width + position / kBlockTokens];
      const float* keys = a.qkv.f32_row(t) + a.shape.query_width();
      const float* values = keys + kv_heads * dim;
      for (int32_t i = 0; i < kv_heads * dim; ++i) {
        const int64_t at = block_offset(a.shape, block, position, i / dim, i % dim);
        p.keys[at] = keys[i];
        p.values[at] = values[i];
      }
    }
  }
}

// The whole sequence as attention() reads it: rows of its queries (of those in the batch), keys and values.
std::vector<float> gather(const AttentionArgs& a, int32_t sequence) {
  const Pages& p = a.pages;
  const auto [heads, kv_heads, dim] = a.shape;
  const int32_t begin = a.cu_seqlens[sequence], past = p.past[sequence];
  const int32_t length = past + a.cu_seqlens[sequence + 1] - begin, width = a.shape.row_width();
  std::vector<float> rows(size_t(length) * width);
  for (int32_t t = 0; t < length; ++t) {
    float* row = rows.data() + size_t(t) * width;
    const int32_t block = p.tables[sequence * p.table_width + t / kBlockTokens];
    if (t >= past) std::copy_n(a.qkv.f32_row(begin + t - past), a.shape.query_width(), row);
    for (int32_t i = 0; i < kv_heads * dim; ++i) {
      const int64_t at = block_offset(a.shape, block, t, i / dim, i % dim);
      row[heads * dim + i] = p.keys[at];
      row[(heads + kv_heads) * dim + i] = p.values[at];
    }
  }
  return rows;
}

void paged_attention(const AttentionArgs& a) {
  for (int32_t s = 0; s < a.live->sequences; ++s) {
    std::vector<float> rows = gather(a, s);
    AttentionArgs whole = a;
    whole.qkv = {rows.data(), DType::kF32, a.shape.row_width(), a.shape.row_width()};
    whole.distance_bias = nullptr;
    whole.disentangled = {};
    const int32_t past = a.pages.past[s], length = a.cu_seqlens[s + 1] - a.cu_seqlens[s];
    std::vector<float> y(size_t(past + length) * a.shape.query_width());
    whole.y = {y.data(), DType::kF32, a.shape.query_width(), a.shape.query_width()};
    for (int32_t query = past; query < past + length; ++query) {
      const int32_t begin = std::max(0, query - a.left);
      for (int32_t head = 0; head < a.shape.heads; ++head) attend(whole, query, head, begin, query + 1);
      std::copy_n(whole.y.f32_row(query), a.shape.query_width(), a.y.f32_row(a.cu_seqlens[s] + query - past));
    }
  }
}

int32_t last_token(const PoolArgs& a, int32_t begin, int32_t end) {
  int32_t last = end - 1;
  while (last > begin && a.ids[last] == a.padding) --last;
  return last;
}

// Column i of tokens [begin, end).
double pool_column(const PoolArgs& a, int32_t begin, int32_t end, int32_t i) {
  const double length = end - begin;
  double sum = 0, top = -std::numeric_limits<double>::infinity(), weighted = 0;
  for (int32_t t = begin; t < end; ++t) {
    const double value = a.x.f32_row(t)[i];
    sum += value;
    top = std::max(top, value);
    weighted += value * (t - begin + 1);
  }
  switch (a.pooling) {
    case Pooling::kCls:
      return a.x.f32_row(begin)[i];
    case Pooling::kMean:
      return sum / length;
    case Pooling::kMax:
      return top;
    case Pooling::kMeanSqrtLen:
      return sum / std::sqrt(length);
    case Pooling::kWeightedMean:
      return weighted / (length * (length + 1) / 2);
    case Pooling::kLastToken:
      return a.x.f32_row(last_token(a, begin, end))[i];
  }
  return 0;
}

void pool(const PoolArgs& a) {
  for (int32_t row = 0; row < *a.rows; ++row) {
    for (int32_t i = 0; i < a.x.cols; ++i) {
      a.y.f32_row(row)[i] = static_cast<float>(pool_column(a, a.plans[row].begin, a.plans[row].end, i));
    }
  }
}

// One token's weight for entry n.
double entry_weight(const VocabularyArgs& a, int32_t token, int32_t n) {
  double logit = a.bias ? a.bias[n] : 0;
  for (int32_t k = 0; k < a.weight->k; ++k) logit += a.x.f32_row(token)[k] * weight_at(*a.weight, n, k);
  double weight = std::max(logit, 0.0);
  for (int32_t i = 0; i < a.logarithms; ++i) weight = std::log1p(weight);
  return weight;
}

void vocabulary(const VocabularyArgs& a) {
  for (int32_t row = 0; row < *a.rows; ++row) {
    for (int32_t n = 0; n < a.weight->n; ++n) {
      double total = 0;
      for (int32_t token = a.plans[row].begin; token < a.plans[row].end; ++token) {
        const double weight = entry_weight(a, token, n);
        total = a.sum ? total + weight : std::max(total, weight);
      }
      a.y.f32_row(row)[n] = static_cast<float>(total);
    }
  }
}

void finish(const FinishArgs& a) {
  for (int32_t row = 0; row < *a.rows; ++row) {
    const RowPlan& plan = a.plans[row];
    const float* x = a.x.f32_row(row);
    double squares = 0;
    for (int32_t i = 0; i < plan.dimensions; ++i) squares += double{x[i]} * x[i];
    const double scale = plan.normalize ? 1 / std::max(std::sqrt(squares), 1e-12) : 1;
    for (int32_t i = 0; i < a.x.cols; ++i) {
      a.y.f32_row(row)[i] = i < plan.dimensions ? static_cast<float>(x[i] * scale) : 0.0f;
    }
  }
}

template <class Args>
void launch_alone(Stream& stream, void (*kernel)(const Args&), const Args& args) {
  static_cast<cpu::CpuStream&>(stream).launch([kernel, args](cpu::Worker& worker) {
    if (worker.index == 0) kernel(args);
  });
}

class ReferenceKernels : public Kernels {
 public:
  std::string name() const override { return "reference"; }

  absl::StatusOr<PackedMatrix> pack(Device& device, DType dtype, int32_t n, int32_t k,
                                    const float* weight) const override {
    PackedMatrix packed{.dtype = dtype, .n = n, .k = k, .data = nullptr};
    ASSIGN_OR_RETURN(packed.data, device.allocate(size_t(n) * k * size_of(dtype)));
    if (dtype == DType::kF32) {
      std::memcpy(packed.data->data(), weight, size_t(n) * k * sizeof(float));
    } else {
      std::transform(weight, weight + int64_t{n} * k, static_cast<uint16_t*>(packed.data->data()), float_to_bf16);
    }
    return packed;
  }

  void embed(Stream& s, const EmbedArgs& args) const override { launch_alone(s, reference::embed, args); }
  void linear(Stream& s, const LinearArgs& args) const override { launch_alone(s, reference::linear, args); }
  void norm(Stream& s, const NormArgs& args) const override { launch_alone(s, reference::norm, args); }
  void gate(Stream& s, const GateArgs& args) const override { launch_alone(s, reference::gate, args); }
  void rope(Stream& s, const RopeArgs& args) const override { launch_alone(s, reference::rope, args); }
  void attention(Stream& s, const AttentionArgs& args) const override { launch_alone(s, reference::attention, args); }
  void store(Stream& s, const AttentionArgs& args) const override { launch_alone(s, reference::store, args); }
  void paged_attention(Stream& s, const AttentionArgs& args) const override {
    launch_alone(s, reference::paged_attention, args);
  }
  void pool(Stream& s, const PoolArgs& args) const override { launch_alone(s, reference::pool, args); }
  void vocabulary(Stream& s, const VocabularyArgs& args) const override {
    launch_alone(s, reference::vocabulary, args);
  }
  void finish(Stream& s, const FinishArgs& args) const override { launch_alone(s, reference::finish, args); }
};

}  // namespace

std::unique_ptr<Kernels> make_kernels() { return std::make_unique<ReferenceKernels>(); }

}  // namespace bouquet::rose::reference
