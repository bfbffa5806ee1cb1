// Content codings: gzip and deflate, both ways.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace bouquet::ivy::http {

// `coding` is the Content-Encoding header: "", identity, gzip, x-gzip or deflate (zlib-wrapped or raw), or several of
// them, in the order they were applied. OUT_OF_RANGE when the result would be larger than max_bytes.
absl::StatusOr<std::string> decode_content(std::string_view coding, std::string body, size_t max_bytes);

std::string gzip(std::string_view body);

// Whether the Accept-Encoding header lets a reply be gzipped.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace bouquet::ivy::http
