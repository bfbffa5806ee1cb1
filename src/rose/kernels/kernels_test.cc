// Every kernel of every ISA level this processor has against its reference twin, over a sweep of sizes; and the same
// row gives the same bits in any batch, with any number of threads.
#include "rose/kernels/kernels.h"

#include <cmath>
#include <random>

#include "gtest/gtest.h"
#include "rose/device/cpu/cpu_device.h"
#include "rose/kernels/cpu/cpu_kernels.h"
#include "rose/kernels/reference/reference_kernels.h"

namespace bouquet::rose {
namespace {

using Matrix = std::vector<float>;

Matrix random_matrix(size_t size, uint32_t seed, float scale = 1.0f) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0, scale);
  Matrix m(size);
  for (float& value : m) value = normal(generator);
  return m;
}

Tensor view(Matrix& m, int32_t cols) { return {m.data(), DType::kF32, cols, cols}; }

// Lengths -> cu_seqlens and Live.
struct Ragged {
  explicit Ragged(std::vector<int32_t> lengths) : cu{0} {
    for (int32_t n : lengths) {
      cu.push_back(cu.back() + n);
      live.longest = std::max(live.longest, n);
    }
    live.tokens = cu.back();
    live.sequences = static_cast<int32_t>(lengths.size());
  }
  std::vector<int32_t> cu;
  Live live{};
};

// One back end on a stream of its own.
struct Bench {
  Bench(std::unique_ptr<Kernels> k, int threads)
      : device({.threads = threads}), stream(device.create_stream()), kernels(std::move(k)) {}
  void wait() {
    auto event = device.create_event();
    stream->record(*event);
    ASSERT_TRUE(event->wait().ok());
  }
  cpu::CpuDevice device;
  std::unique_ptr<Stream> stream;
  std::unique_ptr<Kernels> kernels;
};

Matrix run_linear(Bench& bench, Matrix& x, const Matrix& w, const Matrix& bias, int rows, DType dtype,
                  Activation activation) {
  const int n = static_cast<int>(bias.size()), k = static_cast<int>(w.size()) / n;
  const PackedMatrix packed = *bench.kernels->pack(bench.device, dtype, n, k, w.data());
  Matrix y(size_t(rows) * n);
  const int32_t live_rows = rows;
  bench.kernels->linear(*bench.stream, {view(x, k), &packed, bias.data(), activation, view(y, n), &live_rows});
  bench.wait();
  return y;
}

Matrix run_attention(Bench& bench, Matrix& qkv, const Ragged& ragged, int heads, int dim) {
  Matrix y(size_t(ragged.live.tokens) * heads * dim);
  bench.kernels->attention(*bench.stream,
                           {view(qkv, 3 * heads * dim), ragged.cu.data(), heads, dim,
                            1.0f / std::sqrt(static_cast<float>(dim)), view(y, heads * dim), &ragged.live});
  bench.wait();
  return y;
}

void expect_near(const Matrix& got, const Matrix& want, float tolerance, const std::string& what) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], want[i], tolerance * std::max(1.0f, std::abs(want[i]))) << what << " element " << i;
  }
}

class KernelsTest : public testing::TestWithParam<cpu::Isa> {
 protected:
  void SetUp() override {
    const auto& here = cpu::supported_isas();
    if (std::find(here.begin(), here.end(), GetParam()) == here.end()) GTEST_SKIP() << "this processor lacks the level";
  }
  Bench fast(int threads = 2) { return Bench(cpu::make_kernels(GetParam()), threads); }
  Bench reference() { return Bench(reference::make_kernels(), 1); }
};

TEST_P(KernelsTest, LinearMatchesItsTwin) {
  Bench a = fast(), b = reference();
  const std::pair<int, int> shapes[] = {{16, 8}, {48, 32}, {1, 24}, {3, 7}, {100, 65}, {64, 800}, {384, 384}};
  for (auto [n, k] : shapes) {
    for (int rows : {1, 2, 3, 4, 5, 6, 7, 8, 13, 16, 17, 24, 25, 96, 143, 144, 145, 300}) {
      for (DType dtype : {DType::kF32, DType::kBF16}) {
        Matrix x = random_matrix(size_t(rows) * k, 1), w = random_matrix(size_t(n) * k, 2, 0.1f),
               bias = random_matrix(n, 3);
        const DType stored = k % 2 ? DType::kF32 : dtype;  // odd depths are kept as f32 by the panels
        expect_near(run_linear(a, x, w, bias, rows, dtype, Activation::kNone),
                    run_linear(b, x, w, bias, rows, stored, Activation::kNone), 1e-4f,
                    "n " + std::to_string(n) + " k " + std::to_string(k) + " rows " + std::to_string(rows));
      }
    }
  }
}

TEST_P(KernelsTest, ActivationsMatch) {
  Bench a = fast(), b = reference();
  for (Activation activation : {Activation::kGelu, Activation::kGeluTanh, Activation::kRelu, Activation::kTanh,
                                Activation::kSigmoid, Activation::kSilu}) {
    Matrix x = random_matrix(40 * 16, 4, 2.0f), w = random_matrix(16 * 16, 5), bias = random_matrix(16, 6);
    expect_near(run_linear(a, x, w, bias, 40, DType::kF32, activation),
                run_linear(b, x, w, bias, 40, DType::kF32, activation), 1e-5f,
                "activation " + std::to_string(int(activation)));
  }
}

TEST_P(KernelsTest, AttentionMatchesItsTwin) {
  Bench a = fast(), b = reference();
  for (int dim : {8, 32, 64, 96, 128}) {
    for (const auto& lengths : {std::vector<int32_t>{1}, {2, 5, 16, 17}, {33, 1, 64}, {130}}) {
      const Ragged ragged(lengths);
      Matrix qkv = random_matrix(size_t(ragged.live.tokens) * 3 * 2 * dim, 7);
      expect_near(run_attention(a, qkv, ragged, 2, dim), run_attention(b, qkv, ragged, 2, dim), 1e-5f,
                  "dim " + std::to_string(dim));
    }
  }
}

TEST_P(KernelsTest, LayerNormMatchesItsTwin) {
  Bench a = fast(), b = reference();
  for (int hidden : {8, 21, 384, 1000}) {
    Matrix x = random_matrix(size_t(19) * hidden, 8, 3.0f), residual = random_matrix(size_t(19) * hidden, 9);
    const Matrix gamma = random_matrix(hidden, 10), beta = random_matrix(hidden, 11);
    const int32_t rows = 19;
    for (bool with_residual : {false, true}) {
      Matrix results[2];
      int i = 0;
      for (Bench* bench : {&a, &b}) {
        Matrix y(x.size());
        bench->kernels->layer_norm(*bench->stream, {view(x, hidden), with_residual ? view(residual, hidden) : Tensor{},
                                                    gamma.data(), beta.data(), 1e-12f, view(y, hidden), &rows});
        bench->wait();
        results[i++] = y;
      }
      expect_near(results[0], results[1], 2e-5f, "hidden " + std::to_string(hidden));
    }
  }
}

TEST_P(KernelsTest, EmbedPoolAndFinishMatchTheirTwins) {
  Bench a = fast(), b = reference();
  const int hidden = 37;
  const Ragged ragged({3, 1, 20});
  const Matrix words = random_matrix(50 * hidden, 12), positions = random_matrix(32 * hidden, 13),
               types = random_matrix(2 * hidden, 14);
  std::vector<int32_t> ids(24), token_types(24);
  for (int i = 0; i < 24; ++i) ids[i] = (i * 7) % 50, token_types[i] = i % 2;
  const int32_t dimensions[] = {37, 8, 1}, normalize[] = {1, 1, 0};
  for (Pooling pooling : {Pooling::kCls, Pooling::kMean, Pooling::kMax, Pooling::kMeanSqrtLen, Pooling::kWeightedMean,
                          Pooling::kLastToken}) {
    Matrix results[2];
    int i = 0;
    for (Bench* bench : {&a, &b}) {
      Matrix x(24 * hidden), pooled(3 * hidden), y(3 * hidden);
      bench->kernels->embed(*bench->stream, {ids.data(), token_types.data(), ragged.cu.data(), words.data(),
                                             positions.data(), types.data(), hidden, view(x, hidden), &ragged.live});
      bench->kernels->pool(*bench->stream,
                           {view(x, hidden), ragged.cu.data(), pooling, view(pooled, hidden), &ragged.live});
      bench->kernels->finish(*bench->stream,
                             {view(pooled, hidden), dimensions, normalize, view(y, hidden), &ragged.live});
      bench->wait();
      results[i++] = y;
    }
    expect_near(results[0], results[1], 1e-5f, "pooling " + std::to_string(int(pooling)));
  }
}

TEST_P(KernelsTest, BitsDependOnTheRowAlone) {
  const int n = 48, k = 800;
  Matrix x = random_matrix(size_t(200) * k, 15), w = random_matrix(size_t(n) * k, 16), bias = random_matrix(n, 17);
  for (DType dtype : {DType::kF32, DType::kBF16}) {
    Bench one = fast(1), three = fast(3);
    const Matrix all = run_linear(three, x, w, bias, 200, dtype, Activation::kGelu);
    for (int rows : {1, 2, 3, 4, 7, 12, 24, 25, 100}) {
      Matrix part(x.begin(), x.begin() + size_t(rows) * k);
      const Matrix got = run_linear(one, part, w, bias, rows, dtype, Activation::kGelu);
      ASSERT_TRUE(std::equal(got.begin(), got.end(), all.begin())) << rows << " rows";
    }
  }
  const Ragged alone({40}), crowd({40, 3, 129});
  Matrix qkv = random_matrix(size_t(172) * 3 * 64, 18);
  Bench one = fast(1), three = fast(3);
  const Matrix single = run_attention(one, qkv, alone, 2, 32), batch = run_attention(three, qkv, crowd, 2, 32);
  EXPECT_TRUE(std::equal(single.begin(), single.end(), batch.begin()));
}

TEST_P(KernelsTest, NanPassesThrough) {
  Bench a = fast();
  Matrix x(16, std::nanf("")), w = random_matrix(16 * 16, 19), bias = random_matrix(16, 20);
  for (Activation activation : {Activation::kNone, Activation::kGelu, Activation::kTanh, Activation::kRelu}) {
    for (float value : run_linear(a, x, w, bias, 1, DType::kF32, activation)) EXPECT_TRUE(std::isnan(value));
  }
  const Ragged ragged({4});
  Matrix qkv = random_matrix(4 * 3 * 16, 21);
  qkv[0] = std::nanf("");
  EXPECT_TRUE(std::isnan(run_attention(a, qkv, ragged, 1, 16)[0]));
}

INSTANTIATE_TEST_SUITE_P(Levels, KernelsTest, testing::Values(cpu::Isa::kPortable, cpu::Isa::kAvx2, cpu::Isa::kAvx512),
                         [](const auto& info) { return std::string(cpu::name_of(info.param)); });

}  // namespace
}  // namespace bouquet::rose
