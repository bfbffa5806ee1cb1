// The listening sockets and the threads that serve what they accept.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/current.h"
#include "ivy/http/message.h"
#include "ivy/http/options.h"

namespace bouquet::ivy::http {

class Listener {
 public:
  // Listening when it returns. The handler must outlive the listener.
  static absl::StatusOr<std::unique_ptr<Listener>> start(const ListenOptions& listen,
                                                         const ConnectionOptions& connections, Handler& handler);
  ~Listener();  // drains without patience

  int port() const;  // -1: no TCP

  // The certificate and its key again from their files: connections accepted after the change see them. Nothing
  // changes without TLS.
  absl::StatusOr<Change> read_certificate();

  // Stops accepting, lets requests in flight finish, ends the threads. What is left after `patience` is cut off.
  void drain(std::chrono::milliseconds patience);

 private:
  struct Impl;
  explicit Listener(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bouquet::ivy::http
