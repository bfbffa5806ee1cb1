// What was made once is taken again under its key, and under no other; what could not be made is tried again.
#include "rose/weights/weight_store.h"

#include "gtest/gtest.h"
#include "rose/device/cpu/memory.h"

namespace bouquet::rose {
namespace {

TEST(WeightStore, MakesEachKeyOnce) {
  cpu::Memory memory;
  WeightStore store;
  int made = 0;
  const auto make = [&] { return ++made, memory.allocate(64); };
  const auto first = *store.buffer("a", make), again = *store.buffer("a", make), other = *store.buffer("b", make);
  EXPECT_EQ(first->data(), again->data());
  EXPECT_NE(first->data(), other->data());
  EXPECT_EQ(made, 2);
}

TEST(WeightStore, MatricesShareTheirData) {
  cpu::Memory memory;
  WeightStore store;
  const auto make = [&]() -> absl::StatusOr<PackedMatrix> {
    return PackedMatrix{.dtype = DType::kBF16, .n = 2, .k = 4, .data = *memory.allocate(64)};
  };
  const PackedMatrix first = *store.matrix("a", make), again = *store.matrix("a", make);
  EXPECT_EQ(again.data->data(), first.data->data());
  EXPECT_EQ(again.dtype, DType::kBF16);
  EXPECT_EQ(again.k, 4);
}

TEST(WeightStore, WhatFailsIsNotKept) {
  cpu::Memory memory;
  WeightStore store;
  EXPECT_FALSE(store.buffer("a", [] { return absl::ResourceExhaustedError("none"); }).ok());
  EXPECT_TRUE(store.buffer("a", [&] { return memory.allocate(64); }).ok());
}

}  // namespace
}  // namespace bouquet::rose
