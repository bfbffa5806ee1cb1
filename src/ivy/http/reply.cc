// Header lines, compression of large bodies, request ids.
#include "ivy/http/reply.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <random>
#include <utility>

#include "base/version.h"
#include "fmt/format.h"
#include "ivy/http/coding.h"

namespace bouquet::ivy::http {
namespace {

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[40];
  return std::string(text, std::strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &utc));
}

void append_header(std::string_view name, std::string_view value, std::string* out) {
  out->append(name).append(": ");
  // A line break in a value would let it write headers of its own.
  std::copy_if(value.begin(), value.end(), std::back_inserter(*out), [](char c) { return c != '\r' && c != '\n'; });
  out->append("\r\n");
}

bool is_id_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("._:/+=-").find(c) != std::string_view::npos;
}

}  // namespace

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 422:
      return "Unprocessable Content";
    case 424:
      return "Failed Dependency";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 499:
      return "Client Closed Request";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "Unknown";
  }
}

std::string request_id(std::string_view wanted) {
  if (!wanted.empty() && wanted.size() <= 128 && std::all_of(wanted.begin(), wanted.end(), is_id_char)) {
    return std::string(wanted);
  }
  static const uint64_t kProcess = std::random_device{}();
  static std::atomic<uint64_t> count{0};
  return fmt::format("{:08x}-{:08x}", kProcess & 0xffffffff, count.fetch_add(1, std::memory_order_relaxed));
}

WireReply write_reply(Response response, const ReplyForm& form) {
  WireReply wire;
  wire.status = response.status;
  wire.tokens = response.tokens;
  wire.truncated = response.truncated;
  wire.cause = response.cause;
  wire.keep_alive = form.keep_alive;
  const bool compressible = form.compress_from_bytes > 0 && response.body.size() >= form.compress_from_bytes;
  if (compressible) response.headers.emplace_back("vary", "accept-encoding");
  if (compressible && form.gzip) {
    response.body = gzip(response.body);
    response.headers.emplace_back("content-encoding", "gzip");
  }
  std::string& out = wire.header;
  out = fmt::format("HTTP/1.{} {} {}\r\n", form.http10 ? 0 : 1, response.status, reason_of(response.status));
  append_header("server", fmt::format("bouquet/{}", kVersion), &out);
  append_header("date", date_now(), &out);
  if (!response.content_type.empty()) append_header("content-type", response.content_type, &out);
  if (response.status != 204) append_header("content-length", std::to_string(response.body.size()), &out);
  append_header("x-request-id", form.request_id, &out);
  if (!form.keep_alive) append_header("connection", "close", &out);
  if (form.keep_alive && form.http10) append_header("connection", "keep-alive", &out);
  for (const auto& [name, value] : response.headers) append_header(name, value, &out);
  out.append("\r\n");
  if (!form.head_only) wire.body = std::move(response.body);
  return wire;
}

void make_last(WireReply* reply) {
  if (!std::exchange(reply->keep_alive, false)) return;
  constexpr std::string_view kGoesOn = "connection: keep-alive\r\n", kEnds = "connection: close\r\n";
  std::string& header = reply->header;
  if (const size_t at = header.find(kGoesOn); at != std::string::npos) header.erase(at, kGoesOn.size());
  header.insert(header.find('\n') + 1, kEnds);  // after the status line
}

}  // namespace bouquet::ivy::http
