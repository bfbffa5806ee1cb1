// Header lookup.
#include "ivy/http/message.h"

namespace bouquet::ivy::http {

std::string_view RequestHead::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace bouquet::ivy::http
