// The golden rows must not agree by accident: whatever part of a model's mathematics is left out or changed, its rows
// have to show it.
#include <algorithm>
#include <cmath>

#include "golden_case.h"
#include "gtest/gtest.h"
#include "rose/device/cpu/isa.h"
#include "rose/engine.h"
#include "rose/kernels/cpu/cpu_kernels.h"
#include "rose/kernels/forwarding_kernels.h"

namespace bouquet {
namespace {

namespace fs = std::filesystem;
using namespace rose;

enum class Sabotage {
  kNothing,
  kOneAttention,
  kRope,
  kWindow,
  kCausality,
  kDistances,
  kGroups,
  kPooling,
  kOneGate,
  kTypes,
  kPlaces
};

// Kernels that leave one thing out, in every call or the first.
class SabotagedKernels : public ForwardingKernels {
 public:
  explicit SabotagedKernels(Sabotage sabotage)
      : ForwardingKernels(cpu::make_kernels(cpu::supported_isas().back())), sabotage_(sabotage) {}

  void embed(Stream& s, const EmbedArgs& args) const override {
    EmbedArgs a = args;
    if (sabotage_ == Sabotage::kTypes && a.type_table.data) a.type_table = {}, applied = true;
    if (sabotage_ == Sabotage::kPlaces && a.place_table.data) a.place_table = {}, applied = true;
    ForwardingKernels::embed(s, a);
  }
  void rope(Stream& s, const RopeArgs& args) const override {
    RopeArgs a = args;
    if (sabotage_ == Sabotage::kRope && a.rotary_dim > 0) a.rotary_dim = 0, applied = true;
    ForwardingKernels::rope(s, a);
  }
  void gate(Stream& s, const GateArgs& args) const override {
    if (sabotage_ == Sabotage::kOneGate && !std::exchange(applied, true)) return;
    ForwardingKernels::gate(s, args);
  }
  void attention(Stream& s, const AttentionArgs& args) const override {
    AttentionArgs a = args;
    if (sabotage_ == Sabotage::kOneAttention && !std::exchange(applied, true)) return;
    if (sabotage_ == Sabotage::kWindow && a.left < kUnbounded) {
      a.left = a.right = kUnbounded;
      applied = true;
    }
    if (sabotage_ == Sabotage::kCausality && a.right == 0) {
      a.right = kUnbounded;
      applied = ++attentions_ > 1;  // with one layer the last token, which is what counts, sees all anyway
    }
    if (sabotage_ == Sabotage::kDistances && (a.distance_bias || a.disentangled.rows)) {
      a.distance_bias = nullptr;
      a.disentangled = {};
      applied = true;
    }
    if (sabotage_ == Sabotage::kGroups && a.shape.heads != a.shape.kv_heads && a.shape.kv_heads > 1) {
      a.shape.kv_heads = 1;
      applied = true;
    }
    ForwardingKernels::attention(s, a);
  }
  void pool(Stream& s, const PoolArgs& args) const override {
    PoolArgs a = args;
    if (sabotage_ == Sabotage::kPooling) {
      a.pooling = a.pooling == Pooling::kMean ? Pooling::kMax : Pooling::kMean;
      applied = true;
    }
    ForwardingKernels::pool(s, a);
  }

  mutable bool applied = false;  // the model has what was left out

 private:
  const Sabotage sabotage_;
  mutable int attentions_ = 0;
};

// The largest difference to the golden rows, relative to a row's largest value where that is above 1; nullopt where the
// model has nothing of the kind.
std::optional<double> difference(const fs::path& model, const GoldenCase& golden, Sabotage sabotage) {
  auto kernels = std::make_shared<SabotagedKernels>(sabotage);
  auto engine = Engine::load(model, {.dtype = "f32", .threads = 1, .own_kernels = kernels});
  if (!engine.ok()) return std::nullopt;
  const FlatBatch batch(golden);
  const std::vector<RowSpec> specs(batch.lengths.size(), {0, (*engine)->info().model.normalize});
  const LazyTensor result = (*engine)->step({batch.ids, batch.cu_seqlens, batch.types, specs});
  EXPECT_TRUE(result.wait().ok());
  if (sabotage != Sabotage::kNothing && !kernels->applied) return std::nullopt;
  double largest = 0;
  for (size_t i = 0; i < golden.rows.size(); ++i) {
    double scale = 1;
    for (const float value : golden.rows[i]) scale = std::max<double>(scale, std::abs(value));
    for (size_t k = 0; k < golden.rows[i].size(); ++k) {
      largest = std::max(largest, std::abs(result.values(static_cast<int32_t>(i))[k] - golden.rows[i][k]) / scale);
    }
  }
  return largest;
}

class Sabotaged : public testing::TestWithParam<Sabotage> {};

TEST_P(Sabotaged, ShowsInEveryModelThatHasIt) {
  int models = 0;
  for (const auto& entry : fs::directory_iterator(kGoldenFolder / "models")) {
    if (!fs::exists(entry.path() / "golden.safetensors")) continue;
    const GoldenCase golden = read_golden(entry.path() / "golden.safetensors");
    const std::optional<double> changed = difference(entry.path(), golden, GetParam());
    if (!changed) continue;
    ++models;
    EXPECT_GT(*changed, 1e-3) << entry.path().filename();
  }
  EXPECT_GE(models, 3);
}

INSTANTIATE_TEST_SUITE_P(Golden, Sabotaged,
                         testing::Values(Sabotage::kOneAttention, Sabotage::kRope, Sabotage::kWindow,
                                         Sabotage::kCausality, Sabotage::kDistances, Sabotage::kGroups,
                                         Sabotage::kPooling, Sabotage::kOneGate, Sabotage::kTypes, Sabotage::kPlaces));

// Rows of different texts lie far apart, so that two of them in the wrong order would be seen.
TEST(Golden, RowsDiffer) {
  for (const auto& entry : fs::directory_iterator(kGoldenFolder / "models")) {
    if (!fs::exists(entry.path() / "golden.safetensors")) continue;
    const GoldenCase golden = read_golden(entry.path() / "golden.safetensors");
    for (size_t i = 1; i < golden.rows.size(); ++i) {
      if (golden.ids[i] == golden.ids[i - 1]) continue;
      double apart = 0;
      for (size_t k = 0; k < golden.rows[i].size(); ++k) {
        apart = std::max<double>(apart, std::abs(golden.rows[i][k] - golden.rows[i - 1][k]));
      }
      EXPECT_GT(apart, 1e-3) << entry.path().filename() << " rows " << i - 1 << " and " << i;
    }
  }
}

}  // namespace
}  // namespace bouquet
