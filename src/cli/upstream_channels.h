// How Ivy reaches its upstreams: TLS files read once for all the upstreams that they are for, and again when they
// change.
//
// connect() may be called from any thread, the rest from one.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/current.h"
#include "ivy/model_spec.h"
#include "tulip/rpc/client.h"

namespace bouquet::cli {

class UpstreamChannels {
 public:
  // Reads the TLS files of the models that are to be served. Anything wrong with one is an error that names the model.
  // The change must be made while this lives.
  absl::StatusOr<Change> read(const std::vector<ivy::ModelSpec>& specs);

  // A client for an address, without waiting for a connection.
  absl::StatusOr<std::shared_ptr<tulip::Client>> connect(const ivy::UpstreamSecurity& security,
                                                         const std::string& address) const;

 private:
  using Security = std::shared_ptr<tulip::ChannelSecurity>;
  using Known = std::vector<std::pair<ivy::UpstreamSecurity, Security>>;
  Security find(const Known& among, const ivy::UpstreamSecurity& security) const;

  mutable std::mutex mutex_;
  Known known_;  // under mutex_
};

}  // namespace bouquet::cli
