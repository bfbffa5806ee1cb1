// What is said again, and when.
#include "base/repeats.h"

#include "gtest/gtest.h"

namespace bouquet {
namespace {

using namespace std::chrono_literals;

TEST(Repeats, ACauseIsToldOnceInTenMinutes) {
  Repeats repeats;
  const auto start = Repeats::Clock::now();
  EXPECT_TRUE(repeats.worth_saying("a is full", start));
  EXPECT_FALSE(repeats.worth_saying("a is full", start + 9min));
  EXPECT_TRUE(repeats.worth_saying("b is full", start + 9min));
  EXPECT_TRUE(repeats.worth_saying("a is full", start + 11min));
  EXPECT_FALSE(repeats.worth_saying("b is full", start + 11min));
}

TEST(Repeats, NumbersAndDetailsMakeNoOtherCause) {
  Repeats repeats;
  const auto now = Repeats::Clock::now();
  EXPECT_TRUE(repeats.worth_saying("1.2.3.4:5 hung up {at:7}", now));
  EXPECT_FALSE(repeats.worth_saying("1.2.3.4:66 hung up {by:8,at:9}", now));
}

TEST(Repeats, WhatWasForgottenIsNews) {
  Repeats repeats;
  const auto now = Repeats::Clock::now();
  EXPECT_TRUE(repeats.worth_saying("a", now));
  repeats.forget();
  EXPECT_TRUE(repeats.worth_saying("a", now));
}

TEST(Repeats, EndlessCausesTakeNoEndlessRoom) {
  Repeats repeats;
  const auto now = Repeats::Clock::now();
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(repeats.worth_saying(std::string(static_cast<size_t>(i), 'x'), now));
}

}  // namespace
}  // namespace bouquet
