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

void embed(const EmbedArgs& a) {
  for (int32_t s = 0; s < a.live->sequences; ++s) {
    for (int32_t t = a.cu_seqlens[s]; t < a.cu_seqlens[s + 1]; ++t) {
      const int64_t position = t - a.cu_seqlens[s];
      for (int32_t i = 0; i < a.hidden; ++i) {
        a.y.f32_row(t)[i] = a.words[int64_t{a.ids[t]} * a.hidden + i] + a.positions[position * a.hidden + i] +
                            a.types[int64_t{a.token_types[t]} * a.hidden + i];
      }
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

void layer_norm(const LayerNormArgs& a) {
  const int32_t hidden = a.x.cols;
  std::vector<double> row_values(hidden);
  for (int32_t row = 0; row < *a.rows; ++row) {
    double mean = 0, variance = 0;
    for (int32_t i = 0; i < hidden; ++i) {
      row_values[i] = a.x.f32_row(row)[i] + (a.residual.data ? a.residual.f32_row(row)[i] : 0.0f);
      mean += row_values[i] / hidden;
    }
    for (double value : row_values) variance += (value - mean) * (value - mean) / hidden;
    const double scale = 1 / std::sqrt(variance + a.epsilon);
    for (int32_t i = 0; i < hidden; ++i) {
      a.y.f32_row(row)[i] = static_cast<float>((row_values[i] - mean) * scale * a.gamma[i] + a.beta[i]);
    }
  }
}

// One query row of one head over the keys of its sequence, tokens [begin, end).
void attend(const AttentionArgs& a, int32_t query, int32_t head, int32_t begin, int32_t end) {
  const int64_t width = int64_t{a.heads} * a.head_dim;
  const float* q = a.qkv.f32_row(query) + head * a.head_dim;
  std::vector<double> weights(end - begin);
  for (int32_t key = begin; key < end; ++key) {
    const float* k = a.qkv.f32_row(key) + width + head * a.head_dim;
    double dot = 0;
    for (int32_t i = 0; i < a.head_dim; ++i) dot += q[i] * k[i];
    weights[key - begin] = dot * a.scale;
  }
  const double top = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - top);
  for (int32_t i = 0; i < a.head_dim; ++i) {
    double value = 0;
    for (int32_t key = begin; key < end; ++key) {
      value += weights[key - begin] / sum * a.qkv.f32_row(key)[2 * width + head * a.head_dim + i];
    }
    a.y.f32_row(query)[head * a.head_dim + i] = static_cast<float>(value);
  }
}

void attention(const AttentionArgs& a) {
  for (int32_t s = 0; s < a.live->sequences; ++s) {
    for (int32_t query = a.cu_seqlens[s]; query < a.cu_seqlens[s + 1]; ++query) {
      for (int32_t head = 0; head < a.heads; ++head) attend(a, query, head, a.cu_seqlens[s], a.cu_seqlens[s + 1]);
    }
  }
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
      return a.x.f32_row(end - 1)[i];
  }
  return 0;
}

void pool(const PoolArgs& a) {
  for (int32_t s = 0; s < a.live->sequences; ++s) {
    for (int32_t i = 0; i < a.x.cols; ++i) {
      a.y.f32_row(s)[i] = static_cast<float>(pool_column(a, a.cu_seqlens[s], a.cu_seqlens[s + 1], i));
    }
  }
}

void finish(const FinishArgs& a) {
  for (int32_t s = 0; s < a.live->sequences; ++s) {
    double squares = 0;
    for (int32_t i = 0; i < a.dimensions[s]; ++i) squares += double{a.x.f32_row(s)[i]} * a.x.f32_row(s)[i];
    const double scale = a.normalize[s] ? 1 / std::max(std::sqrt(squares), 1e-12) : 1;
    for (int32_t i = 0; i < a.x.cols; ++i) {
      a.y.f32_row(s)[i] = i < a.dimensions[s] ? static_cast<float>(a.x.f32_row(s)[i] * scale) : 0.0f;
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
  void layer_norm(Stream& s, const LayerNormArgs& args) const override { launch_alone(s, reference::layer_norm, args); }
  void attention(Stream& s, const AttentionArgs& args) const override { launch_alone(s, reference::attention, args); }
  void pool(Stream& s, const PoolArgs& args) const override { launch_alone(s, reference::pool, args); }
  void finish(Stream& s, const FinishArgs& args) const override { launch_alone(s, reference::finish, args); }
};

}  // namespace

std::unique_ptr<Kernels> make_kernels() { return std::make_unique<ReferenceKernels>(); }

}  // namespace bouquet::rose::reference
