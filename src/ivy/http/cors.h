// Which browsers' pages may read replies, and the preflight request that asks for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ivy/http/message.h"

namespace bouquet::ivy::http {

class Cors {
 public:
  // Origins such as "https://app.example.com"; "*" stands for any. None: no page may.
  explicit Cors(std::vector<std::string> origins);

  // The reply to a preflight request; nothing when it is none.
  std::optional<Response> preflight(const RequestHead& head) const;

  // Adds what lets the page that sent the request read the reply.
  void mark(const RequestHead& head, Response* response) const;

 private:
  std::vector<std::string> origins_;
  bool any_ = false;
};

}  // namespace bouquet::ivy::http
