// Unix sockets' files.
#pragma once

#include <filesystem>

#include "absl/status/status.h"

namespace bouquet {

// Makes `path` free to listen on: removes the socket file of a server that is gone. UNAVAILABLE when a server listens
// there, or may do so: one of another user can't be asked. INVALID_ARGUMENT when no unix socket can have the path.
absl::Status free_socket_path(const std::filesystem::path& path);

}  // namespace bouquet
