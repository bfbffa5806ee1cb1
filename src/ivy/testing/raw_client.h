// A client that sends bytes as they are and shows what comes back: over TCP or a unix socket, no library between.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace bouquet::ivy::testing_fakes {

class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }
  explicit RawClient(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~RawClient() { close(); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }
  int descriptor() const { return socket_; }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }

  // Reads until `mark` has come, and returns all up to its end; what came so far when the other side closes or 10 s
  // pass.
  std::string read_until(std::string_view mark) {
    size_t at = 0;
    while ((at = received_.find(mark)) == std::string::npos) {
      if (!receive()) return std::exchange(received_, {});
    }
    std::string out = received_.substr(0, at + mark.size());
    received_.erase(0, out.size());
    return out;
  }
  // One reply with content-length: header and body.
  std::string read_reply() {
    std::string reply = read_until("\r\n\r\n");
    const size_t at = reply.find("content-length: ");
    if (at == std::string::npos) return reply;
    return reply + read_bytes(std::stoul(reply.substr(at + 16)));
  }
  std::string read_bytes(size_t count) {
    while (received_.size() < count && receive()) {
    }
    std::string out = received_.substr(0, count);
    received_.erase(0, out.size());
    return out;
  }
  // True when the other side closed in good order; false on a reset or when 10 s pass.
  bool closed_in_order() {
    while (receive()) {
    }
    return ended_;
  }

 private:
  bool receive() {
    pollfd poll_for{socket_, POLLIN, 0};
    if (::poll(&poll_for, 1, 10'000) <= 0) return false;
    char bytes[65536];
    const ssize_t count = ::recv(socket_, bytes, sizeof(bytes), 0);
    ended_ = count == 0;
    if (count <= 0) return false;
    received_.append(bytes, static_cast<size_t>(count));
    return true;
  }

  int socket_;
  bool connected_ = false;
  bool ended_ = false;
  std::string received_;
};

}  // namespace bouquet::ivy::testing_fakes
