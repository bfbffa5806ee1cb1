// Alignment, zeroes, sharing and the end of a region.
#include "rose/device/cpu/memory.h"

#include <cstring>
#include <vector>

#include "gtest/gtest.h"

namespace bouquet::rose::cpu {
namespace {

TEST(Memory, BuffersAreZeroedAlignedAndApart) {
  Memory memory;
  std::vector<std::unique_ptr<Buffer>> buffers;
  for (size_t bytes :
       {size_t{0}, size_t{1}, size_t{64}, size_t{100'000}, size_t{1} << 23, size_t{40} << 20, size_t{60} << 20}) {
    buffers.push_back(*memory.allocate(bytes));
    Buffer& buffer = *buffers.back();
    EXPECT_GE(buffer.size(), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
    const auto* data = static_cast<const char*>(buffer.data());
    EXPECT_EQ(data[0] | data[buffer.size() / 2] | data[buffer.size() - 1], 0) << bytes;
    std::memset(buffer.data(), static_cast<int>(buffers.size()), buffer.size());
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    const auto* data = static_cast<const char*>(buffers[i]->data());
    EXPECT_EQ(data[0], static_cast<char>(i + 1));
    EXPECT_EQ(data[buffers[i]->size() - 1], static_cast<char>(i + 1));
  }
}

TEST(Memory, WhatIsFreedIsNotHandedOutAgain) {
  Memory memory;
  for (int i = 0; i < 200; ++i) {  // several regions' worth
    auto buffer = *memory.allocate(1 << 20);
    EXPECT_EQ(*static_cast<char*>(buffer->data()), 0);
    *static_cast<char*>(buffer->data()) = 1;
  }
}

TEST(Memory, BuffersOutliveTheirMemory) {
  std::unique_ptr<Buffer> buffer;
  {
    Memory memory;
    buffer = *memory.allocate(100);
  }
  std::memset(buffer->data(), 1, 100);
}

TEST(Memory, TooMuchIsAnError) {
  Memory memory;
  EXPECT_EQ(memory.allocate(size_t{1} << 60).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(memory.allocate(SIZE_MAX).status().code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace bouquet::rose::cpu
