// The API keys that may call. The set is replaced whole while requests are being checked.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/current.h"
#include "ivy/http/message.h"

namespace bouquet::ivy::http {

class KeyRing {
 public:
  // `file` has one key a line; blank lines and those that begin with # don't count. Empty: no file. Call read() next.
  KeyRing(std::vector<std::string> keys, std::filesystem::path file);

  // Reads the file: the change that makes its keys those that count. A file without any key is an error, never an open
  // door.
  absl::StatusOr<Change> read();

  // True when there are no keys, or when "Authorization: Bearer KEY", "x-api-key: KEY" or Azure's "api-key: KEY"
  // carries one. How long it takes does not depend on how much of a key is right.
  bool admits(const RequestHead& head) const;

 private:
  using Digest = std::array<uint8_t, 32>;
  static Digest digest(std::string_view key);
  bool holds(std::string_view key) const;

  const std::vector<std::string> fixed_;
  const std::filesystem::path file_;
  Current<std::vector<Digest>> digests_;
};

}  // namespace bouquet::ivy::http
