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

// What attention sees beside the tokens.
struct View {
  int32_t left = kUnbounded;
  int32_t right = kUnbounded;
  const Matrix* distance_bias = nullptr;
  int32_t reach = 0;
  const Disentangled* disentangled = nullptr;
  int32_t unseen = 0;  // tokens at each sequence's end that are no keys
};

Matrix run_attention(Bench& bench, Matrix& qkv, const Ragged& ragged, const HeadShape& shape,
                     const View& view_of = {}) {
  Matrix y(size_t(ragged.live.tokens) * shape.query_width());
  AttentionArgs args{};
  args.qkv = view(qkv, shape.row_width());
  std::vector<int32_t> keys;
  for (size_t s = 0; s + 1 < ragged.cu.size(); ++s) {
    keys.push_back(std::max(1, ragged.cu[s + 1] - ragged.cu[s] - view_of.unseen));
  }
  args.cu_seqlens = ragged.cu.data();
  args.key_counts = keys.data();
  args.shape = shape;
  args.scale = 1.0f / std::sqrt(static_cast<float>(shape.head_dim));
  args.left = view_of.left;
  args.right = view_of.right;
  args.distance_bias = view_of.distance_bias ? view_of.distance_bias->data() : nullptr;
  args.reach = view_of.reach;
  if (view_of.disentangled) args.disentangled = *view_of.disentangled;
  args.y = view(y, shape.query_width());
  args.live = &ragged.live;
  bench.kernels->attention(*bench.stream, args);
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
    for (const HeadShape& shape : {HeadShape{2, 2, dim}, {6, 2, dim}, {3, 1, dim}}) {
      for (const auto& lengths : {std::vector<int32_t>{1}, {2, 5, 16, 17}, {33, 1, 64}, {130}}) {
        const Ragged ragged(lengths);
        Matrix qkv = random_matrix(size_t(ragged.live.tokens) * shape.row_width(), 7);
        expect_near(run_attention(a, qkv, ragged, shape), run_attention(b, qkv, ragged, shape), 1e-5f,
                    "dim " + std::to_string(dim) + " heads " + std::to_string(shape.heads));
      }
    }
  }
}

TEST_P(KernelsTest, AttentionWithWindowsAndBiasMatchesItsTwin) {
  Bench a = fast(), b = reference();
  const HeadShape shape{4, 2, 24};
  const Ragged ragged({1, 19, 70, 200});
  Matrix qkv = random_matrix(size_t(ragged.live.tokens) * shape.row_width(), 31);
  for (const int32_t reach : {0, 3, 250}) {
    const Matrix bias = random_matrix(size_t(4) * (2 * reach + 1), 32);
    for (const int32_t left : {0, 1, 6, 15, 16, 64, kUnbounded}) {
      for (const int32_t right : {0, 1, 17, kUnbounded}) {
        const View biased{left, right, &bias, reach}, plain{left, right, nullptr, 0, nullptr, reach};
        const std::string what = "left " + std::to_string(left) + " right " + std::to_string(right);
        expect_near(run_attention(a, qkv, ragged, shape, plain), run_attention(b, qkv, ragged, shape, plain), 1e-5f,
                    what);
        expect_near(run_attention(a, qkv, ragged, shape, biased), run_attention(b, qkv, ragged, shape, biased), 1e-5f,
                    what + " reach " + std::to_string(reach));
      }
    }
  }
}

TEST_P(KernelsTest, DisentangledAttentionMatchesItsTwin) {
  Bench a = fast(), b = reference();
  const HeadShape shape{3, 3, 20};
  const Ragged ragged({1, 19, 70, 130});
  Matrix qkv = random_matrix(size_t(ragged.live.tokens) * shape.row_width(), 51);
  for (const int places : {6, 40}) {
    Matrix keys = random_matrix(size_t(places) * shape.query_width(), 52), queries = random_matrix(keys.size(), 53);
    const int32_t reach = 30;
    std::vector<int32_t> rows;
    for (int32_t distance = -reach; distance <= reach; ++distance) {
      rows.push_back(std::clamp(places / 2 + distance / 2, 0, places - 1));
    }
    const Tensor k = view(keys, shape.query_width()), q = view(queries, shape.query_width());
    for (const Disentangled& d : {Disentangled{k, q, places, rows.data(), reach},
                                  {k, {}, places, rows.data(), reach},
                                  {{}, q, places, rows.data(), reach}}) {
      for (const auto& [left, right] : {std::pair{kUnbounded, kUnbounded}, {20, 3}}) {
        const View seen{left, right, nullptr, 0, &d};
        expect_near(run_attention(a, qkv, ragged, shape, seen), run_attention(b, qkv, ragged, shape, seen), 1e-5f,
                    "places " + std::to_string(places));
      }
    }
  }
}

// A norm's results: y, and the sum where it is kept.
std::pair<Matrix, Matrix> run_norm(Bench& bench, NormKind kind, Matrix x, Matrix residual, const Matrix& gamma,
                                   const Matrix& beta, bool keep, float scale = 1) {
  const int32_t rows = 19, hidden = static_cast<int32_t>(x.size()) / rows;
  Matrix y(x.size()), sum(x.size());
  NormArgs args{};
  args.kind = kind;
  args.x = view(x, hidden);
  if (!residual.empty()) args.residual = view(residual, hidden);
  if (keep) args.sum = view(sum, hidden);
  args.gamma = gamma.empty() ? nullptr : gamma.data();
  args.beta = beta.empty() ? nullptr : beta.data();
  args.epsilon = 1e-6f;
  args.scale = scale;
  args.y = view(y, hidden);
  args.rows = &rows;
  bench.kernels->norm(*bench.stream, args);
  bench.wait();
  return {y, sum};
}

// The sum alone.
Matrix run_sum(Bench& bench, NormKind kind, Matrix x, Matrix residual, float scale) {
  const int32_t rows = 19, hidden = static_cast<int32_t>(x.size()) / rows;
  Matrix sum(x.size());
  NormArgs args{};
  args.kind = kind;
  args.x = view(x, hidden);
  args.residual = view(residual, hidden);
  args.sum = view(sum, hidden);
  args.scale = scale;
  args.rows = &rows;
  bench.kernels->norm(*bench.stream, args);
  bench.wait();
  return sum;
}

TEST_P(KernelsTest, NormMatchesItsTwin) {
  Bench a = fast(), b = reference();
  for (int hidden : {8, 21, 384, 1000}) {
    const Matrix x = random_matrix(size_t(19) * hidden, 8, 3.0f), residual = random_matrix(size_t(19) * hidden, 9);
    const Matrix gamma = random_matrix(hidden, 10), beta = random_matrix(hidden, 11);
    for (const NormKind kind : {NormKind::kLayer, NormKind::kRms}) {
      for (const Matrix& added : {Matrix{}, residual}) {
        for (const bool keep : {false, true}) {
          if (keep && added.empty()) continue;
          const auto [y, sum] = run_norm(a, kind, x, added, gamma, beta, keep);
          const auto [y_twin, sum_twin] = run_norm(b, kind, x, added, gamma, beta, keep);
          expect_near(y, y_twin, 2e-5f, "hidden " + std::to_string(hidden));
          EXPECT_EQ(sum, sum_twin);
        }
      }
      const auto [scaled, scaled_sum] = run_norm(a, kind, x, residual, gamma, beta, true, 0.3f);
      const auto [scaled_twin, scaled_sum_twin] = run_norm(b, kind, x, residual, gamma, beta, true, 0.3f);
      expect_near(scaled, scaled_twin, 2e-5f, "scaled");
      EXPECT_EQ(scaled_sum, scaled_sum_twin);
      EXPECT_EQ(run_sum(a, kind, x, residual, 0.3f), scaled_sum);
      EXPECT_EQ(run_sum(b, kind, x, residual, 0.3f), scaled_sum);
      expect_near(run_norm(a, kind, x, {}, gamma, {}, false).first, run_norm(b, kind, x, {}, gamma, {}, false).first,
                  2e-5f, "no beta");
      expect_near(run_norm(a, kind, x, {}, {}, {}, false).first, run_norm(b, kind, x, {}, {}, {}, false).first, 2e-5f,
                  "bare");
    }
  }
}

TEST_P(KernelsTest, GateMatchesItsTwin) {
  Bench a = fast(), b = reference();
  for (const Activation activation : {Activation::kSilu, Activation::kGelu, Activation::kGeluTanh, Activation::kRelu}) {
    for (int n : {3, 16, 40, 101}) {
      Matrix x = random_matrix(size_t(21) * 2 * n, 22);
      const int32_t rows = 21;
      Matrix results[2];
      int i = 0;
      for (Bench* bench : {&a, &b}) {
        Matrix y(size_t(21) * n);
        bench->kernels->gate(*bench->stream, {view(x, 2 * n), activation, view(y, n), &rows});
        bench->wait();
        results[i++] = y;
      }
      expect_near(results[0], results[1], 1e-5f, "n " + std::to_string(n));
    }
  }
}

TEST_P(KernelsTest, RopeMatchesItsTwin) {
  Bench a = fast(), b = reference();
  const Ragged ragged({5, 1, 30});
  std::vector<int32_t> positions;
  for (size_t s = 0; s + 1 < ragged.cu.size(); ++s) {
    for (int32_t p = 0; p < ragged.cu[s + 1] - ragged.cu[s]; ++p) positions.push_back(p);
  }
  for (auto [dim, rotary] : {std::pair{8, 8}, {24, 12}, {64, 64}, {128, 128}, {20, 0}}) {
    const HeadShape shape{6, 2, dim};
    const Matrix qkv = random_matrix(size_t(ragged.live.tokens) * shape.row_width(), 23);
    const Matrix angles = random_matrix(size_t(30) * rotary / 2 + 1, 24), gamma = random_matrix(dim, 25);
    Matrix cosines, sines;
    for (const float angle : angles) cosines.push_back(std::cos(angle)), sines.push_back(std::sin(angle));
    for (const float* head_gamma : {static_cast<const float*>(nullptr), gamma.data()}) {
      Matrix results[2];
      int i = 0;
      for (Bench* bench : {&a, &b}) {
        Matrix rows = qkv;
        bench->kernels->rope(*bench->stream, {view(rows, shape.row_width()), positions.data(), shape, head_gamma,
                                              head_gamma, 1e-6f, rotary, cosines.data(), sines.data(), &ragged.live});
        bench->wait();
        results[i++] = rows;
      }
      expect_near(results[0], results[1], 1e-5f, "dim " + std::to_string(dim));
    }
  }
}

// A table and its copy as it would be stored.
struct WordTable {
  WordTable(Matrix values, DType dtype, int32_t cols) : values(std::move(values)), tensor(view(this->values, cols)) {
    if (dtype == DType::kF32) return;
    for (const float value : this->values) halves.push_back(float_to_bf16(value));
    tensor = {halves.data(), dtype, cols, cols};
  }
  Matrix values;
  std::vector<uint16_t> halves;
  Tensor tensor;
};

TEST_P(KernelsTest, EmbedMatchesItsTwin) {
  Bench a = fast(), b = reference();
  const int hidden = 37;
  const Ragged ragged({3, 1, 20});
  Matrix places = random_matrix(32 * hidden, 13), types = random_matrix(2 * hidden, 14);
  std::vector<int32_t> ids(24), token_types(24), positions(24);
  for (int i = 0; i < 24; ++i) ids[i] = (i * 7) % 50, token_types[i] = i % 2, positions[i] = i % 20;
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    const WordTable words(random_matrix(50 * hidden, 12), dtype, hidden);
    for (const auto& [place, type] : {std::pair{view(places, hidden), view(types, hidden)}, {Tensor{}, Tensor{}}}) {
      Matrix results[2];
      int i = 0;
      for (Bench* bench : {&a, &b}) {
        Matrix x(24 * hidden);
        bench->kernels->embed(*bench->stream, {ids.data(), token_types.data(), positions.data(), words.tensor, 1.5f,
                                               place, type, view(x, hidden), &ragged.live});
        bench->wait();
        results[i++] = x;
      }
      expect_near(results[0], results[1], 1e-6f, std::string(name_of(dtype)));
    }
  }
}

TEST_P(KernelsTest, PoolAndFinishMatchTheirTwins) {
  Bench a = fast(), b = reference();
  const int hidden = 37;
  Matrix x = random_matrix(24 * hidden, 12);
  std::vector<int32_t> ids(24, 1);
  ids[3] = ids[22] = ids[23] = 7;  // padding: a whole sequence, and the end of another
  const RowPlan plans[] = {{0, 3, 37, 1}, {3, 4, 8, 1}, {4, 24, 1, 0}, {6, 9, 20, 0}};
  const int32_t rows = 4;
  for (Pooling pooling : {Pooling::kCls, Pooling::kMean, Pooling::kMax, Pooling::kMeanSqrtLen, Pooling::kWeightedMean,
                          Pooling::kLastToken}) {
    Matrix results[2];
    int i = 0;
    for (Bench* bench : {&a, &b}) {
      Matrix pooled(4 * hidden), y(4 * hidden);
      bench->kernels->pool(*bench->stream,
                           {view(x, hidden), ids.data(), plans, &rows, pooling, 7, view(pooled, hidden)});
      bench->kernels->finish(*bench->stream, {view(pooled, hidden), plans, &rows, view(y, hidden)});
      bench->wait();
      results[i++] = y;
    }
    expect_near(results[0], results[1], 1e-5f, "pooling " + std::to_string(int(pooling)));
  }
}

TEST_P(KernelsTest, VocabularyMatchesItsTwin) {
  Bench a = fast(), b = reference();
  const RowPlan plans[] = {{0, 1, 1, 0}, {1, 40, 1, 0}, {40, 200, 1, 0}};
  const int32_t rows = 3;
  for (auto [n, k] : {std::pair{100, 24}, {48, 800}, {7, 9}}) {
    for (const DType dtype : {DType::kF32, DType::kBF16}) {
      const DType stored = k % 2 ? DType::kF32 : dtype;
      Matrix x = random_matrix(size_t(200) * k, 40), w = random_matrix(size_t(n) * k, 41, 0.1f),
             bias = random_matrix(n, 42);
      for (const auto& [sum, logarithms] : {std::pair{false, 1}, {false, 2}, {true, 1}, {true, 2}}) {
        Matrix results[2];
        int i = 0;
        for (Bench* bench : {&a, &b}) {
          const PackedMatrix packed = *bench->kernels->pack(bench->device, i == 0 ? dtype : stored, n, k, w.data());
          Matrix y(size_t(3) * n);
          bench->kernels->vocabulary(*bench->stream,
                                     {view(x, k), &packed, bias.data(), plans, &rows, sum, logarithms, view(y, n)});
          bench->wait();
          results[i++] = y;
        }
        expect_near(results[0], results[1], 1e-4f, "n " + std::to_string(n) + " k " + std::to_string(k));
      }
    }
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
  const HeadShape shape{4, 2, 32};
  Matrix qkv = random_matrix(size_t(172) * shape.row_width(), 18);
  const Matrix distance_bias = random_matrix(size_t(4) * 21, 19);
  Bench one = fast(1), three = fast(3);
  for (const View& seen : {View{}, View{7, 3}, View{kUnbounded, 0}, View{20, 20, &distance_bias, 10}}) {
    const Matrix single = run_attention(one, qkv, alone, shape, seen),
                 batch = run_attention(three, qkv, crowd, shape, seen);
    EXPECT_TRUE(std::equal(single.begin(), single.end(), batch.begin())) << seen.left << " " << seen.right;
  }
}

// A cache whose blocks lie in reverse order, each sequence's apart, and hold what nobody may read.
struct Cache {
  Cache(const std::vector<int32_t>& lengths, const HeadShape& shape) {
    for (int32_t n : lengths) width = std::max(width, (n + kBlockTokens - 1) / kBlockTokens);
    const auto blocks = static_cast<int32_t>(lengths.size()) * width;
    for (int32_t b = 0; b < blocks; ++b) tables.push_back(blocks - 1 - b);
    keys.assign(blocks * block_values(shape), std::nanf(""));
    values = keys;
  }
  Matrix keys, values;
  std::vector<int32_t> tables;
  int32_t width = 0;
};

// Tokens [from[s], to[s]) of each sequence of `whole` through the cache; their rows of the result, one after the other.
Matrix run_paged(Bench& bench, const Matrix& whole, const Ragged& ragged, const HeadShape& shape, int32_t left,
                 const std::vector<int32_t>& from, const std::vector<int32_t>& to, Cache* cache) {
  std::vector<int32_t> lengths;
  Matrix qkv;
  for (size_t s = 0; s < from.size(); ++s) {
    lengths.push_back(to[s] - from[s]);
    const auto row = [&](int32_t token) { return whole.begin() + (ragged.cu[s] + token) * shape.row_width(); };
    qkv.insert(qkv.end(), row(from[s]), row(to[s]));
  }
  const Ragged batch(lengths);
  Matrix y(size_t(batch.live.tokens) * shape.query_width());
  AttentionArgs args{};
  args.qkv = view(qkv, shape.row_width());
  args.cu_seqlens = batch.cu.data();
  args.shape = shape;
  args.scale = 1.0f / std::sqrt(static_cast<float>(shape.head_dim));
  args.left = left;
  args.pages = {cache->keys.data(), cache->values.data(), cache->tables.data(), cache->width, from.data()};
  args.y = view(y, shape.query_width());
  args.live = &batch.live;
  bench.kernels->store(*bench.stream, args);
  bench.kernels->paged_attention(*bench.stream, args);
  bench.wait();
  return y;
}

TEST_P(KernelsTest, PagedAttentionMatchesItsTwin) {
  Bench a = fast(), b = reference();
  for (const HeadShape shape : {HeadShape{3, 1, 10}, HeadShape{2, 2, 32}, HeadShape{4, 2, 40}}) {
    for (const int32_t left : {kUnbounded, 5}) {
      const std::vector<int32_t> lengths = {1, 16, 17, 50}, none = {0, 0, 0, 0}, half = {1, 9, 16, 31};
      const Ragged ragged(lengths);
      const Matrix qkv = random_matrix(size_t(ragged.live.tokens) * shape.row_width(), 5);
      Cache fast_cache(lengths, shape), slow_cache(lengths, shape);
      expect_near(run_paged(a, qkv, ragged, shape, left, none, half, &fast_cache),
                  run_paged(b, qkv, ragged, shape, left, none, half, &slow_cache), 1e-5f, "first half");
      expect_near(run_paged(a, qkv, ragged, shape, left, half, lengths, &fast_cache),
                  run_paged(b, qkv, ragged, shape, left, half, lengths, &slow_cache), 1e-5f, "second half");
    }
  }
}

TEST_P(KernelsTest, PagedAttentionHasTheBitsOfAttention) {
  Bench bench = fast(3);
  const HeadShape shape{4, 2, 24};
  for (const int32_t left : {kUnbounded, 19}) {
    const Ragged ragged({70});
    Matrix qkv = random_matrix(size_t(ragged.live.tokens) * shape.row_width(), 6);
    const Matrix whole = run_attention(bench, qkv, ragged, shape, {.left = left, .right = 0});
    Cache cache({70}, shape);
    Matrix paged = run_paged(bench, qkv, ragged, shape, left, {0}, {37}, &cache);
    for (int32_t token = 37; token < 70; ++token) {
      const Matrix row = run_paged(bench, qkv, ragged, shape, left, {token}, {token + 1}, &cache);
      paged.insert(paged.end(), row.begin(), row.end());
    }
    EXPECT_EQ(paged, whole) << "left " << left;
  }
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
  EXPECT_TRUE(std::isnan(run_attention(a, qkv, ragged, {1, 1, 16})[0]));
}

INSTANTIATE_TEST_SUITE_P(Levels, KernelsTest, testing::Values(cpu::Isa::kPortable, cpu::Isa::kAvx2, cpu::Isa::kAvx512),
                         [](const auto& info) { return std::string(cpu::name_of(info.param)); });

}  // namespace
}  // namespace bouquet::rose
