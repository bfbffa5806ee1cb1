// TLS between Ivy and Tulip, from PEM files.
#pragma once

#include <filesystem>
#include <memory>

#include "absl/status/statusor.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/security/server_credentials.h"

namespace bouquet::tulip {

struct TlsFiles {
  std::filesystem::path certificate;  // this side's own chain, leaf first; empty: it shows none
  std::filesystem::path key;          // of the certificate
  std::filesystem::path authority;    // certificates that the other side's must be signed by; empty: see below
};

// Plain without a certificate. With an authority, callers must show a certificate of its.
absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> server_credentials(const TlsFiles& files);

// Plain without an authority. `authority` "system" takes the authorities that the system trusts.
absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> channel_credentials(const TlsFiles& files);

}  // namespace bouquet::tulip
