// Whoever listens takes a connection, or is too busy to; only a refusal tells that nobody does.
#include "base/unix_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace bouquet {
namespace {

// 0, or why there is no connection.
int try_connecting(const sockaddr_un& address) {
  const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (probe < 0) return errno;
  const int result = ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  const int error = result == 0 ? 0 : errno;
  ::close(probe);
  return error;
}

}  // namespace

absl::Status free_socket_path(const std::filesystem::path& path) {
  const std::string text = path.string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (text.empty() || text.size() >= sizeof(address.sun_path)) {
    return absl::InvalidArgumentError(text.empty() ? std::string("a unix socket needs a path")
                                                   : absl::StrCat("the path of the unix socket is too long: ", text));
  }
  std::error_code ignored;
  if (!std::filesystem::is_socket(path, ignored)) return absl::OkStatus();
  std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
  const int error = try_connecting(address);
  if (error == 0 || error == EAGAIN) return absl::UnavailableError(absl::StrCat("another server listens on ", text));
  if (error == ECONNREFUSED || error == ENOENT) {
    std::filesystem::remove(path, ignored);
    return absl::OkStatus();
  }
  return absl::UnavailableError(
      absl::StrCat("another server may listen on ", text, ": ", std::generic_category().message(error)));
}

}  // namespace bouquet
