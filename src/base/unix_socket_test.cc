// A path in use, a stale one, and one that is something else.
#include "base/unix_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet {
namespace {

int bound_to(const std::filesystem::path& path) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  return socket;
}

TEST(UnixSocket, OfALiveServerIsLeftAlone) {
  const ScratchFolder folder;
  const int server = bound_to(folder / "s");
  ASSERT_EQ(::listen(server, 0), 0);
  for (int i = 0; i < 3; ++i) {  // nobody accepts, so that in the end there is no room for a connection
    EXPECT_THAT(std::string(free_socket_path(folder / "s").message()), testing::HasSubstr("another server listens"));
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "s"));
  ::close(server);
}

TEST(UnixSocket, OfADeadServerIsRemoved) {
  const ScratchFolder folder;
  ::close(bound_to(folder / "s"));
  EXPECT_TRUE(free_socket_path(folder / "s").ok());
  EXPECT_FALSE(std::filesystem::exists(folder / "s"));
  EXPECT_TRUE(free_socket_path(folder / "s").ok());
}

TEST(UnixSocket, OtherFilesStay) {
  const ScratchFolder folder;
  std::ofstream(folder / "file") << "x";
  EXPECT_TRUE(free_socket_path(folder / "file").ok());
  EXPECT_TRUE(std::filesystem::exists(folder / "file"));
}

TEST(UnixSocket, PathsThatNoSocketCanHave) {
  EXPECT_EQ(free_socket_path("").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(free_socket_path(std::string(200, 'x')).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace bouquet
