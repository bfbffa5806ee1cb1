// Seeded random numbers that are the same with every standard library.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace bouquet::simulate {

class Random {
 public:
  // Streams of one seed are independent of each other.
  Random(uint64_t seed, uint64_t stream) : engine_(seed * 1'000'003 + stream) {}

  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }  // [0, 1)
  uint64_t below(uint64_t count) { return static_cast<uint64_t>(uniform() * static_cast<double>(count)); }
  double exponential(double mean) { return -mean * std::log1p(-uniform()); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace bouquet::simulate
