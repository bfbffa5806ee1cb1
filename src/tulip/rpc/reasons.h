// gRPC's words for what went wrong on the way to a replica, as ours.
#pragma once

#include <string>
#include <string_view>

namespace bouquet::tulip {

// Says what most likely is the matter with a replica; gRPC's own words where they are not known.
std::string plain_reason(std::string_view message);

}  // namespace bouquet::tulip
