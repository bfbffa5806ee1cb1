// OpenSSL's digests over a mapped file.
#include "cli/hub/checksum.h"

#include <openssl/evp.h>

#include <memory>

#include "base/file.h"
#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

absl::StatusOr<std::string> digest(const EVP_MD* method, const std::string& head, std::span<const std::byte> bytes) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  unsigned char result[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  if (!context || !EVP_DigestInit_ex(context.get(), method, nullptr) ||
      !EVP_DigestUpdate(context.get(), head.data(), head.size()) ||
      !EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) ||
      !EVP_DigestFinal_ex(context.get(), result, &length)) {
    return absl::InternalError("OpenSSL could not hash");
  }
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) hex += fmt::format("{:02x}", result[i]);
  return hex;
}

}  // namespace

absl::StatusOr<std::string> sha256_of(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const MappedFile mapped, MappedFile::open(file));
  return digest(EVP_sha256(), "", mapped.bytes());
}

absl::StatusOr<std::string> git_blob_id_of(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const MappedFile mapped, MappedFile::open(file));
  return digest(EVP_sha1(), fmt::format("blob {}", mapped.bytes().size()) + '\0', mapped.bytes());
}

}  // namespace bouquet::cli
