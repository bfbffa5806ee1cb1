// A Response as bytes on the wire.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ivy/http/message.h"

namespace bouquet::ivy::http {

// What of the request decides the reply's form.
struct ReplyForm {
  bool head_only = false;  // HEAD: no body is sent, its length is
  bool http10 = false;
  bool keep_alive = true;
  bool gzip = false;               // the client takes it
  size_t compress_from_bytes = 0;  // 0: never
  std::string request_id;
};

struct WireReply {
  std::string header;
  std::string body;
  int status = 0;
  int64_t tokens = 0;
  int32_t truncated = 0;
  std::string_view cause;
  bool keep_alive = true;
};

WireReply write_reply(Response response, const ReplyForm& form);

// Makes of a reply that was written for a connection that goes on the connection's last.
void make_last(WireReply* reply);

std::string_view reason_of(int status);

// The caller's id where it is 1 to 128 letters, digits and ._:/+=-, else a fresh one.
std::string request_id(std::string_view wanted);

}  // namespace bouquet::ivy::http
