// Arbitrary bytes through the HTTP parser, in pieces whose size the first byte chooses: no crash, no endless loop.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ivy/http/parser.h"
#include "ivy/http/reply.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using bouquet::ivy::http::Parser;
  if (size == 0) return 0;
  const size_t piece = 1 + data[0];
  std::string_view left(reinterpret_cast<const char*>(data + 1), size - 1);
  Parser parser({.header_bytes = 4096, .body_bytes = 65536});
  size_t shown = std::min(piece, left.size());
  while (parser.state() < Parser::State::kDone) {
    const size_t used = parser.feed(left.substr(0, shown));
    if (used > shown) __builtin_trap();
    left.remove_prefix(used);
    shown -= used;
    if (used == 0 && shown == left.size()) break;
    shown = std::min(shown + piece, left.size());
  }
  if (parser.state() == Parser::State::kDone) {
    const auto body = parser.take_body();
    if (body.ok() && body->size() > 65536) __builtin_trap();
  }
  bouquet::ivy::http::request_id(parser.head().header("x-request-id"));
  return 0;
}
