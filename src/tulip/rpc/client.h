// The client between processes: a Tulip's protocol over gRPC.
//
// It connects by itself, and again after a loss. A peer that does not answer a ping within a second counts as gone: its
// calls end as UNAVAILABLE. ready() follows the peer's health service.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tulip/client.h"
#include "tulip/rpc/credentials.h"

namespace bouquet::tulip {

struct RpcClientOptions {
  TlsFiles tls;             // authority: the peer must show a certificate of it
  std::string server_name;  // what the peer's certificate must say; empty: the address's host
  std::chrono::milliseconds describe_timeout{2000};
  std::chrono::milliseconds ping_after{1000};  // of silence
  std::chrono::milliseconds ping_timeout{1000};
};

// `address` is "host:port" or "unix:/path".
absl::StatusOr<std::shared_ptr<Client>> make_rpc_client(const std::string& address, const RpcClientOptions& options);

// With TLS files that others use too, and that may change: the client then connects anew, and goes on with the old
// connection, where that serves, until the new one does. `options.tls` is not looked at.
std::shared_ptr<Client> make_rpc_client(const std::string& address, std::shared_ptr<const ChannelSecurity> security,
                                        const RpcClientOptions& options);

}  // namespace bouquet::tulip
