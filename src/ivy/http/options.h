// What the HTTP server is told: where to listen, how long to wait, how much to take.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>

#include "ivy/http/parser.h"

namespace bouquet::ivy::http {

struct ListenOptions {
  std::string host = "127.0.0.1";
  int port = 0;                       // 0: any free one; -1: no TCP
  std::filesystem::path unix_socket;  // empty: none
  std::filesystem::path tls_certificate;
  std::filesystem::path tls_key;
  int threads = 1;
  size_t max_connections = 4096;
};

struct ConnectionOptions {
  ParserLimits limits;
  std::chrono::milliseconds request_timeout{60'000};
  std::chrono::milliseconds header_timeout{15'000};
  std::chrono::milliseconds body_timeout{30'000};
  std::chrono::milliseconds idle_timeout{90'000};
  size_t compress_from_bytes = 256 << 10;  // 0: never
};

}  // namespace bouquet::ivy::http
