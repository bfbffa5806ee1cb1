// What a flag's number may be. CLI11 has the same, but names the largest number there is when it refuses one.
#pragma once

#include <string>

#include "CLI/CLI.hpp"
#include "fmt/format.h"

namespace bouquet::cli {

inline CLI::Validator number_that(const char* type_name, const char* should, bool (*fits)(double)) {
  return CLI::Validator(
      [should, fits](const std::string& text) {
        double value = 0;
        const bool good = CLI::detail::lexical_cast(text, value) && fits(value);
        return good ? std::string() : fmt::format("\"{}\" should be a number {}", text, should);
      },
      type_name);
}

inline CLI::Validator zero_or_more() {
  return number_that("NONNEGATIVE", "of 0 or more", [](double value) { return value >= 0; });
}
inline CLI::Validator above_zero() {
  return number_that("POSITIVE", "above 0", [](double value) { return value > 0; });
}

}  // namespace bouquet::cli
