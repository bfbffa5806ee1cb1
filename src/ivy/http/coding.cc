// zlib, with bounded output.
#include "ivy/http/coding.h"

#include <zlib.h>

#include <cstdlib>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status.h"
#include "ivy/failure.h"

namespace bouquet::ivy::http {
namespace {

constexpr int kGzipOrZlib = 15 + 32;  // zlib's window bits: detect either wrapper
constexpr int kRawDeflate = -15;
constexpr int kGzip = 15 + 16;
constexpr size_t kStep = 64 << 10;

enum class Inflated { kDone, kBroken, kTooLarge };

Inflated inflate_all(std::string_view body, int window_bits, size_t max_bytes, std::string* out) {
  z_stream stream{};
  if (inflateInit2(&stream, window_bits) != Z_OK) return Inflated::kBroken;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  out->clear();
  int result = Z_OK;
  while (result == Z_OK) {
    const size_t filled = out->size();
    out->resize(filled + kStep);
    stream.next_out = reinterpret_cast<Bytef*>(out->data() + filled);
    stream.avail_out = static_cast<uInt>(kStep);
    result = inflate(&stream, Z_NO_FLUSH);
    out->resize(filled + kStep - stream.avail_out);
    if (out->size() > max_bytes) break;
    if (result == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) break;
  }
  const bool whole = result == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (out->size() > max_bytes) return Inflated::kTooLarge;
  return whole ? Inflated::kDone : Inflated::kBroken;
}

absl::StatusOr<std::string> inflate_one(std::string_view coding, std::string_view body, size_t max_bytes) {
  std::string out;
  Inflated result = inflate_all(body, kGzipOrZlib, max_bytes, &out);
  if (result == Inflated::kBroken && coding == "deflate") result = inflate_all(body, kRawDeflate, max_bytes, &out);
  if (result == Inflated::kTooLarge) {
    return absl::OutOfRangeError(absl::StrCat("the body inflates to more than ", max_bytes, " bytes"));
  }
  if (result == Inflated::kBroken) {
    return malformed_input(absl::StrCat("the body is not whole ", std::string(coding), " data"));
  }
  return out;
}

}  // namespace

absl::StatusOr<std::string> decode_content(std::string_view coding, std::string body, size_t max_bytes) {
  const std::vector<std::string> codings = absl::StrSplit(std::string(coding), ',');
  if (codings.size() > 4) return malformed_input("too many content codings");
  for (auto it = codings.rbegin(); it != codings.rend(); ++it) {
    const std::string name = absl::AsciiStrToLower(absl::StripAsciiWhitespace(*it));
    if (name.empty() || name == "identity") continue;
    if (name != "gzip" && name != "x-gzip" && name != "deflate") {
      return malformed_input(absl::StrCat("content-encoding ", name, " is not known; use gzip or deflate"));
    }
    ASSIGN_OR_RETURN(body, inflate_one(name, body, max_bytes));
  }
  return body;
}

std::string gzip(std::string_view body) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::string out(deflateBound(&stream, body.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

bool accepts_gzip(std::string_view accept_encoding) {
  const std::vector<std::string> choices = absl::StrSplit(std::string(accept_encoding), ',');
  for (const std::string& choice : choices) {
    const std::vector<std::string> parts = absl::StrSplit(absl::AsciiStrToLower(choice), ';');
    const auto name = absl::StripAsciiWhitespace(parts[0]);
    if (name != "gzip" && name != "x-gzip" && name != "*") continue;
    if (parts.size() == 1) return true;
    const auto weight = absl::StripAsciiWhitespace(parts[1]);
    if (!absl::StartsWith(weight, "q=")) return true;
    return std::strtod(std::string(weight.substr(2)).c_str(), nullptr) > 0;
  }
  return false;
}

}  // namespace bouquet::ivy::http
