// The flags of scheduling and batching that `serve` and `tulip` share, and what they make of them.
#pragma once

#include <string>

#include "CLI/CLI.hpp"
#include "tulip/service.h"

namespace bouquet::cli {

struct TulipFlags {
  tulip::ServiceOptions service;
  std::string graphs = "lazy";
  int batch_tokens = 0, bulk_tokens = 0;
  bool tune = true;

  void add_to(CLI::App& command);
  tulip::ServiceOptions options(const std::string& model_name) const;
};

}  // namespace bouquet::cli
