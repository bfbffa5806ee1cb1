// One keep-alive connection to the server under test; not for sharing between threads.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace bouquet::cli {

class HttpSession {
 public:
  // `url` without a path, e.g. http://localhost:8080; `key` empty: none.
  HttpSession(std::string url, const std::string& key);
  ~HttpSession();
  HttpSession(HttpSession&&) noexcept;

  // The body of a 200. UNAVAILABLE when the connection fails; INTERNAL with the status and the start of the body else.
  absl::StatusOr<std::string> post(const std::string& path, const std::string& body);
  absl::StatusOr<std::string> get(const std::string& path);

 private:
  struct Handle;
  absl::StatusOr<std::string> perform(const std::string& path);
  const std::string url_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace bouquet::cli
