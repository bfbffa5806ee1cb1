// Percent decoding and slashes.
#include "ivy/http/target.h"

#include "ivy/failure.h"

namespace bouquet::ivy::http {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "http://host/path" -> "/path"
std::string_view without_authority(std::string_view target) {
  const size_t scheme = target.find("://");
  if (target.starts_with('/') || scheme == std::string_view::npos) return target;
  const size_t slash = target.find('/', scheme + 3);
  return slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
}

void append_path_char(char c, std::string* path) {
  if (c == '/' && path->ends_with('/')) return;
  path->push_back(c);
}

}  // namespace

absl::StatusOr<Target> parse_target(std::string_view raw) {
  const std::string_view target = without_authority(raw);
  Target out;
  const size_t mark = target.find('?');
  if (mark != std::string_view::npos) out.query = std::string(target.substr(mark + 1));
  const std::string_view path = target.substr(0, mark);
  if (!path.starts_with('/') && path != "*") return malformed_input("the request's target is not a path");
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '%') {
      append_path_char(path[i], &out.path);
      continue;
    }
    const int high = i + 2 < path.size() ? hex_value(path[i + 1]) : -1;
    const int low = i + 2 < path.size() ? hex_value(path[i + 2]) : -1;
    if (high < 0 || low < 0 || (high == 0 && low == 0)) {
      return malformed_input("the request's target has a broken %-escape");
    }
    append_path_char(static_cast<char>(high * 16 + low), &out.path);
    i += 2;
  }
  if (out.path.size() > 1 && out.path.ends_with('/')) out.path.pop_back();
  return out;
}

}  // namespace bouquet::ivy::http
