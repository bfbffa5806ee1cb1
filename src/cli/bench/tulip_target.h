// A Tulip, asked in its own protocol: token ids straight over gRPC, without a gateway's work in between.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "cli/bench/target.h"
#include "tulip/client.h"

namespace bouquet::cli {

class TulipTarget : public Target {
 public:
  // `address` is "host:port" or "unix:/path", without TLS; UNAVAILABLE when nobody is there.
  static absl::StatusOr<std::unique_ptr<TulipTarget>> find(const std::string& address);

  Connect prepare(const Ask& ask) const override;
  int max_tokens() const override { return card_.max_tokens; }
  const tulip::ModelCard& card() const { return card_; }

 private:
  explicit TulipTarget(std::string address) : address_(std::move(address)) {}

  const std::string address_;
  tulip::ModelCard card_;
};

}  // namespace bouquet::cli
