// What to think of the keys of a config.json that nobody asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "rose/models/json_config.h"

namespace bouquet::rose {

// OK where every key that no architecture has asked for says nothing (null, false, 0, empty), is known to change
// nothing at inference (dropout, initialisation, ids of tokens, generation ...), or is in `allowed`: these are put into
// `ignored`. UNIMPLEMENTED names the others: any of them may change the mathematics.
// `without_effect`: the architecture's own code does not read them either.
absl::Status check_config_keys(const JsonConfig& config, const std::vector<std::string_view>& without_effect,
                               const std::vector<std::string>& allowed, std::vector<std::string>* ignored);

}  // namespace bouquet::rose
