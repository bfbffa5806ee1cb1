// The files' contents as gRPC takes them. It finds out what is wrong inside them only when somebody connects.
#include "tulip/rpc/credentials.h"

#include "base/file.h"
#include "base/status.h"

namespace bouquet::tulip {
namespace {

absl::Status check_pair(const TlsFiles& files) {
  if (files.certificate.empty() == files.key.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError("a TLS certificate and its key go together: one of the two files is missing");
}

// "" of no file.
absl::StatusOr<std::string> contents(const std::filesystem::path& file) {
  if (file.empty()) return std::string();
  return read_file(file);
}

}  // namespace

absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> server_credentials(const TlsFiles& files) {
  RETURN_IF_ERROR(check_pair(files));
  if (files.certificate.empty()) {
    if (!files.authority.empty())
      return absl::InvalidArgumentError(
          "asking callers for certificates (tls-client-ca) needs TLS: give a certificate and its key (tls-cert, "
          "tls-key)");
    return grpc::InsecureServerCredentials();
  }
  grpc::SslServerCredentialsOptions options(files.authority.empty()
                                                ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                                : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  auto& pair = options.pem_key_cert_pairs.emplace_back();
  ASSIGN_OR_RETURN(pair.private_key, contents(files.key));
  ASSIGN_OR_RETURN(pair.cert_chain, contents(files.certificate));
  ASSIGN_OR_RETURN(options.pem_root_certs, contents(files.authority));
  return grpc::SslServerCredentials(options);
}

absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> channel_credentials(const TlsFiles& files) {
  RETURN_IF_ERROR(check_pair(files));
  if (files.authority.empty()) {
    if (!files.certificate.empty())
      return absl::InvalidArgumentError(
          "a certificate to show to upstreams (upstream-cert) needs TLS: say who signed theirs (upstream-ca)");
    return grpc::InsecureChannelCredentials();
  }
  grpc::SslCredentialsOptions options;
  if (files.authority != "system") {
    ASSIGN_OR_RETURN(options.pem_root_certs, contents(files.authority));
  }
  ASSIGN_OR_RETURN(options.pem_private_key, contents(files.key));
  ASSIGN_OR_RETURN(options.pem_cert_chain, contents(files.certificate));
  return grpc::SslCredentials(options);
}

}  // namespace bouquet::tulip
