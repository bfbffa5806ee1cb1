// A Service over gRPC: the protocol of proto/bouquet/v1/tulip.proto with health checks (grpc.health.v1) and reflection.
//
//   ASSIGN_OR_RETURN(auto server, RpcServer::start({.listen = {"0.0.0.0:9090"}}, service));
//   ... on SIGTERM: server->drain();
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tulip/rpc/credentials.h"
#include "tulip/service.h"

namespace bouquet::tulip {

struct RpcServerOptions {
  std::vector<std::string> listen = {"127.0.0.1:9090"};  // "host:port" (port 0: any free one), "unix:/path"
  TlsFiles tls;                                          // authority: callers need a certificate
  std::chrono::milliseconds leave_time{500};             // how long drain() still accepts, once it has said goodbye
};

class RpcServer {
 public:
  // Listening when it returns.
  static absl::StatusOr<std::unique_ptr<RpcServer>> start(RpcServerOptions options, std::shared_ptr<Service> service);
  ~RpcServer();  // drains

  // Where it listens, with the ports in use.
  const std::vector<std::string>& addresses() const;

  // What health watchers are told: the service is ready, and drain() has not begun.
  bool ready() const;

  // The TLS files again: with the change, connections made from then on see the new certificates.
  absl::StatusOr<Change> read_certificates();

  // Tells health watchers to go elsewhere and still accepts for leave_time, then refuses (UNAVAILABLE) and returns when
  // all accepted chunks are answered and the sockets closed.
  void drain();

 private:
  struct Impl;
  explicit RpcServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bouquet::tulip
