// Validation through simdjson; repair byte by byte, since it is rare.
#include "base/utf8.h"

#include "simdjson.h"

namespace bouquet {
namespace {

// Length of the sequence a lead byte announces and the range its second byte must lie in; 0: not a lead byte.
struct Lead {
  size_t length;
  unsigned char low, high;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
  return {0, 0, 0};
}

// How many bytes of text, from its start, form one character or the longest prefix of one.
size_t well_formed_prefix(std::string_view text, const Lead& lead) {
  size_t length = 1;
  while (length < lead.length && length < text.size()) {
    const auto byte = static_cast<unsigned char>(text[length]);
    const unsigned char low = length == 1 ? lead.low : 0x80;
    const unsigned char high = length == 1 ? lead.high : 0xBF;
    if (byte < low || byte > high) break;
    ++length;
  }
  return length;
}

}  // namespace

bool is_valid_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

std::string replace_invalid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Lead lead = lead_of(static_cast<unsigned char>(text[0]));
    const size_t length = lead.length == 0 ? 1 : well_formed_prefix(text, lead);
    if (lead.length != 0 && length == lead.length) {
      out.append(text.substr(0, length));
    } else {
      out.append("\xEF\xBF\xBD");
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace bouquet
