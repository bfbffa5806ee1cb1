// Keys are kept and compared as SHA-256 digests, all of one length.
#include "ivy/http/key_ring.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <fstream>
#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace bouquet::ivy::http {

KeyRing::KeyRing(std::vector<std::string> keys, std::filesystem::path file)
    : fixed_(std::move(keys)), file_(std::move(file)), digests_(std::make_shared<std::vector<Digest>>()) {}

KeyRing::Digest KeyRing::digest(std::string_view key) {
  Digest out;
  SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(), out.data());
  return out;
}

absl::StatusOr<Change> KeyRing::read() {
  std::vector<Digest> digests;
  for (const std::string& key : fixed_) digests.push_back(digest(key));
  if (!file_.empty()) {
    std::ifstream file(file_);
    if (!file) return absl::NotFoundError(absl::StrCat("cannot read the API keys in ", file_.string()));
    for (std::string line; std::getline(file, line);) {
      const std::string key(absl::StripAsciiWhitespace(line));
      if (!key.empty() && key[0] != '#') digests.push_back(digest(key));
    }
    if (digests.empty()) return absl::InvalidArgumentError(absl::StrCat(file_.string(), " holds no API key"));
  }
  return [this, fresh = std::make_shared<const std::vector<Digest>>(std::move(digests))] { digests_.set(fresh); };
}

bool KeyRing::holds(std::string_view key) const {
  const std::shared_ptr<const std::vector<Digest>> digests = digests_.get();
  if (digests->empty()) return true;
  const Digest given = digest(key);
  bool found = false;
  for (const Digest& known : *digests) found |= CRYPTO_memcmp(known.data(), given.data(), given.size()) == 0;
  return found && !key.empty();
}

bool KeyRing::admits(const RequestHead& head) const {
  constexpr std::string_view kBearer = "bearer ";
  const std::string authorization(head.header("authorization"));
  if (absl::StartsWithIgnoreCase(authorization, absl::string_view(kBearer.data(), kBearer.size()))) {
    return holds(std::string(absl::StripAsciiWhitespace(authorization.substr(kBearer.size()))));
  }
  const std::string_view azure = head.header("api-key");
  return holds(azure.empty() ? head.header("x-api-key") : azure);
}

}  // namespace bouquet::ivy::http
