// A model on null kernels: rows that are sound and cut as asked, after the time that was asked for.
#include "rose/kernels/null/null_kernels.h"

#include <chrono>
#include <cmath>
#include <filesystem>

#include "gtest/gtest.h"
#include "rose/engine.h"

namespace bouquet::rose {
namespace {

std::unique_ptr<Engine> null_engine(double batch_us, double token_us) {
  const auto model = std::filesystem::path(BOUQUET_SOURCE_DIR) / "tests" / "golden" / "models" / "pool-mean";
  const EngineOptions options{.kernels = "null", .null_batch_us = batch_us, .null_token_us = token_us, .threads = 1};
  auto engine = Engine::load(model, options);
  EXPECT_TRUE(engine.ok()) << engine.status();
  return *std::move(engine);
}

TEST(NullKernels, RowsAreCutAndNormalisedAsAsked) {
  const auto engine = null_engine(0, 0);
  const int32_t ids[] = {2, 20, 3, 2, 3}, cu_seqlens[] = {0, 3, 5};
  const RowSpec specs[] = {{4, true}, {0, false}};
  const LazyTensor result = engine->step({ids, cu_seqlens, {}, specs});
  ASSERT_TRUE(result.wait().ok());
  double squares = 0;
  for (int i = 0; i < 4; ++i) squares += std::pow(result.values(0)[i], 2);
  EXPECT_NEAR(squares, 1, 1e-6);
  EXPECT_EQ(result.values(0)[4], 0);
  EXPECT_EQ(result.values(1)[1], 0.5F);
  EXPECT_EQ(engine->info().isa, "null");
}

TEST(NullKernels, ABatchTakesAtLeastTheTimeOfItsTokens) {
  const auto engine = null_engine(2000, 1000);
  const int32_t ids[] = {2, 20, 3}, cu_seqlens[] = {0, 3};
  const RowSpec spec;
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(engine->step({ids, cu_seqlens, {}, {&spec, 1}}).wait().ok());
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(5));
}

}  // namespace
}  // namespace bouquet::rose
