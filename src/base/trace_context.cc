// version "-" trace-id "-" parent-id "-" flags, and after a version that is not 00 perhaps more.
#include "base/trace_context.h"

#include <algorithm>

namespace bouquet {
namespace {

constexpr size_t kVersion = 2, kTraceId = 32, kParentId = 16, kFlags = 2;
constexpr size_t kWhole = kVersion + 1 + kTraceId + 1 + kParentId + 1 + kFlags;
constexpr size_t kLongest = 256;  // of later versions; what is longer is none of ours to carry

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_zero(std::string_view text) { return text.find_first_not_of('0') == text.npos; }

}  // namespace

std::string_view trace_id_of(std::string_view traceparent) {
  if (traceparent.size() < kWhole || traceparent.size() > kLongest) return {};
  const std::string_view version = traceparent.substr(0, kVersion), trace = traceparent.substr(3, kTraceId),
                         parent = traceparent.substr(36, kParentId), flags = traceparent.substr(53, kFlags);
  const bool more = traceparent.size() > kWhole;
  if (traceparent[2] != '-' || traceparent[35] != '-' || traceparent[52] != '-') return {};
  if (!is_hex(version) || !is_hex(trace) || !is_hex(parent) || !is_hex(flags) || version == "ff") return {};
  if (is_zero(trace) || is_zero(parent) || (more && (version == "00" || traceparent[kWhole] != '-'))) return {};
  return trace;
}

}  // namespace bouquet
