// The W3C's trace context (https://www.w3.org/TR/trace-context): the header by which a caller's tracing finds its
// request in our logs. Bouquet records no spans of its own: it hands the header on unchanged.
#pragma once

#include <string_view>

namespace bouquet {

inline constexpr std::string_view kTraceParent = "traceparent";  // the header's name

// The 32 hexadecimal digits of the trace, for a header such as
// "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"; "" when it is not well formed or all zero.
std::string_view trace_id_of(std::string_view traceparent);

}  // namespace bouquet
