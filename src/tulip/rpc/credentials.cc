// gRPC asks a server's port for new certificates at each handshake; a client's channel keeps those it was made with.
#include "tulip/rpc/credentials.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>

#include <utility>

#include "base/status.h"

namespace bouquet::tulip {
namespace {

absl::StatusOr<TlsContents> read_for_server(const TlsFiles& files) {
  if (files.certificate.empty() && files.key.empty() && !files.authority.empty()) {
    return absl::InvalidArgumentError(
        "asking callers for certificates (tls-client-ca) needs TLS: give a certificate and its key (tls-cert, "
        "tls-key)");
  }
  return read_tls(files);
}

absl::StatusOr<TlsContents> read_for_channel(const TlsFiles& files) {
  if (files.authority.empty() && !files.certificate.empty() && !files.key.empty()) {
    return absl::InvalidArgumentError(
        "a certificate to show to upstreams (upstream-cert) needs TLS: say who signed theirs (upstream-ca)");
  }
  return read_tls(files);
}

// gRPC's C++ library has no credentials that ask for certificates, its C library does.
class AskingCredentials : public grpc::ServerCredentials {
 public:
  AskingCredentials(grpc_ssl_client_certificate_request_type request, grpc_ssl_server_certificate_config_callback ask,
                    void* whom)
      : credentials_(grpc_ssl_server_credentials_create_with_options(
            grpc_ssl_server_credentials_create_options_using_config_fetcher(request, ask, whom))) {}
  ~AskingCredentials() override { grpc_server_credentials_release(credentials_); }

  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}

 private:
  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), credentials_);
  }

  grpc_server_credentials* const credentials_;
};

std::shared_ptr<grpc::ChannelCredentials> channel_credentials(const TlsFiles& files, const TlsContents& contents) {
  if (files.authority.empty()) return grpc::InsecureChannelCredentials();
  return grpc::SslCredentials({contents.authority, contents.key, contents.certificate});
}

}  // namespace

// A port that is listened on, and the certificates it took last.
struct ServerSecurity::Port {
  const std::shared_ptr<Current<TlsContents>> contents;
  std::mutex mutex;
  std::shared_ptr<const TlsContents> taken;  // under mutex

  grpc_ssl_certificate_config_reload_status give(grpc_ssl_server_certificate_config** out) {
    std::lock_guard lock(mutex);
    std::shared_ptr<const TlsContents> now = contents->get();
    if (now == taken) return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    const grpc_ssl_pem_key_cert_pair pair{now->key.c_str(), now->certificate.c_str()};
    // gRPC insists on an authority, also where it asks for no certificates and so has none to look at.
    const std::string& authority = now->authority.empty() ? now->certificate : now->authority;
    *out = grpc_ssl_server_certificate_config_create(authority.c_str(), &pair, 1);
    taken = std::move(now);
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }
};

absl::StatusOr<std::unique_ptr<ServerSecurity>> ServerSecurity::create(TlsFiles files) {
  ASSIGN_OR_RETURN(TlsContents contents, read_for_server(files));
  return std::unique_ptr<ServerSecurity>(new ServerSecurity(std::move(files), std::move(contents)));
}

ServerSecurity::ServerSecurity(TlsFiles files, TlsContents contents)
    : files_(std::move(files)),
      contents_(std::make_shared<Current<TlsContents>>(std::make_shared<const TlsContents>(std::move(contents)))) {}

ServerSecurity::~ServerSecurity() = default;

std::shared_ptr<grpc::ServerCredentials> ServerSecurity::credentials() {
  if (files_.certificate.empty()) return grpc::InsecureServerCredentials();
  ports_.emplace_back(new Port{contents_, {}, nullptr});
  return std::make_shared<AskingCredentials>(
      files_.authority.empty() ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                               : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY,
      [](void* port, grpc_ssl_server_certificate_config** out) { return static_cast<Port*>(port)->give(out); },
      ports_.back().get());
}

absl::StatusOr<Change> ServerSecurity::read_again() {
  ASSIGN_OR_RETURN(TlsContents contents, read_for_server(files_));
  auto next = std::make_shared<const TlsContents>(std::move(contents));
  return [at = contents_, next] {
    if (*at->get() != *next) at->set(next);
  };
}

absl::StatusOr<std::shared_ptr<ChannelSecurity>> ChannelSecurity::create(TlsFiles files) {
  ASSIGN_OR_RETURN(TlsContents contents, read_for_channel(files));
  return std::shared_ptr<ChannelSecurity>(new ChannelSecurity(std::move(files), std::move(contents)));
}

ChannelSecurity::ChannelSecurity(TlsFiles files, TlsContents contents)
    : files_(std::move(files)), contents_(std::move(contents)), credentials_(channel_credentials(files_, contents_)) {}

std::shared_ptr<grpc::ChannelCredentials> ChannelSecurity::credentials() const {
  std::lock_guard lock(mutex_);
  return credentials_;
}

absl::StatusOr<Change> ChannelSecurity::read_again() {
  ASSIGN_OR_RETURN(TlsContents contents, read_for_channel(files_));
  return [this, contents = std::move(contents)] { use(contents); };
}

void ChannelSecurity::use(TlsContents contents) {
  std::lock_guard lock(mutex_);
  if (contents == contents_) return;
  contents_ = std::move(contents);
  credentials_ = channel_credentials(files_, contents_);
}

}  // namespace bouquet::tulip
