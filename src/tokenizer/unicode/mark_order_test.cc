// As std::stable_sort does it, for short and long runs.
#include "tokenizer/unicode/mark_order.h"

#include <random>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

struct Mark {
  uint8_t combining_class;
  uint32_t place;
  friend bool operator==(const Mark&, const Mark&) = default;
};

TEST(MarkOrder, IsStable) {
  std::mt19937 random(3);
  std::vector<Mark> spare;
  for (const uint32_t size : {0u, 1u, 2u, 31u, 32u, 33u, 300u}) {
    for (const uint32_t classes : {1u, 2u, 5u, 256u}) {
      std::vector<Mark> marks;
      for (uint32_t i = 0; i < size; ++i) marks.push_back({static_cast<uint8_t>(255 - random() % classes), i});
      std::vector<Mark> expected = marks;
      std::stable_sort(expected.begin(), expected.end(),
                       [](const Mark& a, const Mark& b) { return a.combining_class < b.combining_class; });
      order_marks(std::span(marks), &spare);
      EXPECT_EQ(marks, expected) << size << " marks of " << classes << " classes";
    }
  }
}

}  // namespace
}  // namespace bouquet::tokenizer
