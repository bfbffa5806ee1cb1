// TLS between Ivy and Tulip, as gRPC takes it. Files can be read again: connections made from then on use what they
// hold then, those that are open go on.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "base/current.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/security/server_credentials.h"
#include "tulip/rpc/tls_files.h"

namespace bouquet::tulip {

// A server's side. Plain without a certificate. With an authority, callers must show a certificate of its.
class ServerSecurity {
 public:
  static absl::StatusOr<std::unique_ptr<ServerSecurity>> create(TlsFiles files);
  ~ServerSecurity();

  // For one address to listen on. This must outlive the server.
  std::shared_ptr<grpc::ServerCredentials> credentials();

  absl::StatusOr<Change> read_again();

 private:
  struct Port;
  ServerSecurity(TlsFiles files, TlsContents contents);

  const TlsFiles files_;
  const std::shared_ptr<Current<TlsContents>> contents_;
  std::vector<std::unique_ptr<Port>> ports_;
};

// A client's side. Plain without an authority, of which "system" is one.
class ChannelSecurity {
 public:
  static absl::StatusOr<std::shared_ptr<ChannelSecurity>> create(TlsFiles files);

  // The same ones until what they were made of has changed.
  std::shared_ptr<grpc::ChannelCredentials> credentials() const;

  // The change must be made while this lives.
  absl::StatusOr<Change> read_again();

 private:
  ChannelSecurity(TlsFiles files, TlsContents contents);
  void use(TlsContents contents);

  const TlsFiles files_;
  mutable std::mutex mutex_;
  TlsContents contents_;  // under mutex_, like what follows
  std::shared_ptr<grpc::ChannelCredentials> credentials_;
};

}  // namespace bouquet::tulip
