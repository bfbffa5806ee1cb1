// Kernels that compute nothing: they take the time they are told, and every row is the same made-up numbers. To see
// what all but the model costs, or how a fleet fares with replicas of a given speed.
#pragma once

#include <chrono>
#include <memory>

#include "rose/kernels/kernels.h"

namespace bouquet::rose::null {

// What a batch takes.
struct Cost {
  std::chrono::nanoseconds batch{0};
  std::chrono::nanoseconds token{0};  // more, for each token
};

// For streams of the CPU device. `finish` cuts and normalises the rows. The weights of a model are not kept.
std::unique_ptr<Kernels> make_kernels(Cost cost, std::unique_ptr<Kernels> finish);

}  // namespace bouquet::rose::null
