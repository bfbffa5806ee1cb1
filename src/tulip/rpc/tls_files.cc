// gRPC finds out what is wrong inside the files only when somebody connects, so OpenSSL looks at them first.
#include "tulip/rpc/tls_files.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>

#include "base/file.h"
#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::tulip {
namespace {

template <auto Free>
struct Freer {
  void operator()(auto* pointer) const { Free(pointer); }
};
using Bio = std::unique_ptr<BIO, Freer<BIO_free>>;
using Certificate = std::unique_ptr<X509, Freer<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;

Bio over(const std::string& pem) { return Bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))); }

// Keys with a passphrase can't be used: nobody is there to ask.
int no_passphrase(char*, int, int, void*) { return -1; }

// The first certificate.
absl::StatusOr<Certificate> certificate_in(const std::string& pem, const std::filesystem::path& file) {
  Certificate found(PEM_read_bio_X509(over(pem).get(), nullptr, no_passphrase, nullptr));
  ERR_clear_error();
  if (!found) return absl::InvalidArgumentError(fmt::format("{} holds no certificate in PEM", file.string()));
  return found;
}

absl::StatusOr<Key> key_in(const std::string& pem, const std::filesystem::path& file) {
  Key found(PEM_read_bio_PrivateKey(over(pem).get(), nullptr, no_passphrase, nullptr));
  ERR_clear_error();
  if (!found) {
    return absl::InvalidArgumentError(fmt::format("{} holds no key in PEM, or one with a passphrase", file.string()));
  }
  return found;
}

absl::Status read_pair(const TlsFiles& files, TlsContents* out) {
  ASSIGN_OR_RETURN(out->certificate, read_file(files.certificate));
  ASSIGN_OR_RETURN(out->key, read_file(files.key));
  ASSIGN_OR_RETURN(const Certificate certificate, certificate_in(out->certificate, files.certificate));
  ASSIGN_OR_RETURN(const Key key, key_in(out->key, files.key));
  const bool fits = X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (fits) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{} is not the key of the certificate in {}", files.key.string(), files.certificate.string()));
}

}  // namespace

absl::StatusOr<TlsContents> read_tls(const TlsFiles& files) {
  if (files.certificate.empty() != files.key.empty()) {
    return absl::InvalidArgumentError("a TLS certificate and its key go together: one of the two files is missing");
  }
  TlsContents contents;
  if (!files.certificate.empty()) RETURN_IF_ERROR(read_pair(files, &contents));
  if (!files.authority.empty() && files.authority != "system") {
    ASSIGN_OR_RETURN(contents.authority, read_file(files.authority));
    RETURN_IF_ERROR(certificate_in(contents.authority, files.authority).status());
  }
  return contents;
}

}  // namespace bouquet::tulip
