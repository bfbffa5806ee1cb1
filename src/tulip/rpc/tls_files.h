// What TLS between Ivy and Tulip is made of: PEM files, and what they hold.
#pragma once

#include <filesystem>
#include <string>

#include "absl/status/statusor.h"

namespace bouquet::tulip {

struct TlsFiles {
  std::filesystem::path certificate;  // this side's own chain, leaf first; empty: it shows none
  std::filesystem::path key;          // of the certificate
  std::filesystem::path authority;    // certificates that the other side's must be signed by; "system": those that the
                                      // system trusts; empty: see credentials.h
};

// The files' contents; empty where no file is named, and for "system".
struct TlsContents {
  std::string certificate, key, authority;
  bool operator==(const TlsContents&) const = default;
};

// Certificate and key are both there or neither, and belong together; each file is what it should be. Errors name the
// file.
absl::StatusOr<TlsContents> read_tls(const TlsFiles& files);

}  // namespace bouquet::tulip
