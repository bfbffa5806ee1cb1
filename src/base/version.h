// The version of this build, as `bouquet --version` and the Server header give it.
#pragma once

#include <string_view>

namespace bouquet {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace bouquet
