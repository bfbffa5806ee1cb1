// The flags of the gateway that `serve` and `ivy` share, and what they make of them.
#pragma once

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "ivy/model_spec.h"
#include "ivy/server.h"

namespace bouquet::cli {

struct IvyFlags {
  std::string name;
  std::vector<std::string> aliases;
  ivy::ServerOptions server;
  double request_timeout = 60, header_timeout = 15, body_timeout = 30, idle_timeout = 90,
         drain_timeout = 30;  // seconds
  std::string recipe;
  bool raw_token_ids = false;
  size_t result_cache_mb = 0;
  bool truncate = true;
  std::string special_tokens_in_text = "control";

  void add_to(CLI::App& command);

  ivy::ServerOptions server_options() const;
  // What the flags say of the model; `model` is its name where no flag gives one.
  ivy::ModelSpec spec(const std::string& model) const;

 private:
  void add_listening(CLI::App& command);
  void add_limits(CLI::App& command);
  void add_requests(CLI::App& command);
};

}  // namespace bouquet::cli
