// A server that speaks one of the HTTP dialects.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/bench/dialect.h"
#include "cli/bench/target.h"

namespace bouquet::cli {

struct HttpTargetOptions {
  std::string url;
  std::string key;
  std::string model;  // its name there; empty: the first that it lists
  Dialect dialect;
  int max_tokens = 0;          // 0: what the server says
  std::vector<int> ids_frame;  // {first special, filler, last special}: kEmbedIds sends ids; empty: text
};

class HttpTarget : public Target {
 public:
  // Asks the server for what the options leave open; UNAVAILABLE when nobody is there.
  static absl::StatusOr<std::unique_ptr<HttpTarget>> find(HttpTargetOptions options);

  Connect prepare(const Ask& ask) const override;
  int max_tokens() const override { return options_.max_tokens; }
  const HttpTargetOptions& options() const { return options_; }

  // The embeddings of a few texts.
  absl::StatusOr<std::vector<std::vector<double>>> vectors_of(const std::vector<std::string>& texts) const;

 private:
  explicit HttpTarget(HttpTargetOptions options) : options_(std::move(options)) {}
  absl::Status ask_the_server();

  HttpTargetOptions options_;
};

// A text of about `tokens` tokens, specials included, for any English vocabulary.
std::string text_of(int tokens);

}  // namespace bouquet::cli
