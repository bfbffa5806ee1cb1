// The latencies of runs as a drawing (SVG): how long the slowest 1 in 10, 100, 1,000 ... took, for online requests and
// bulk, whole and chunked, a line a policy.
#pragma once

#include <span>
#include <string>

#include "simulate/result.h"

namespace bouquet::simulate {

std::string plot(std::span<const Result> results, const std::string& title);

}  // namespace bouquet::simulate
