// Bytes -> one HTTP/1 request, without any socket: Beast's parser behind plain types.
//
//   while (parser.state() < Parser::State::kDone && !bytes.empty()) bytes.remove_prefix(parser.feed(bytes));
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "ivy/http/message.h"

namespace bouquet::ivy::http {

struct ParserLimits {
  size_t header_bytes = 32 << 10;
  size_t body_bytes = 32 << 20;  // as sent, and again after inflation
};

class Parser {
 public:
  enum class State { kHeader, kBody, kDone, kFailed };

  explicit Parser(const ParserLimits& limits);
  ~Parser();

  // Takes as much from the start of `bytes` as it can use; the rest must come again, with more behind it. Stops after
  // the header, so that the caller can look at it, and after the request's last byte.
  size_t feed(std::string_view bytes);

  State state() const { return state_; }
  const absl::Status& failure() const { return failure_; }  // kFailed: why
  bool header_too_large() const { return header_too_large_; }
  RequestHead& head() { return head_; }  // from kBody on; after a failure as far as it was read
  bool keep_alive() const { return keep_alive_; }
  bool expects_continue() const { return expects_continue_; }
  size_t body_bytes() const;  // received so far, as sent

  // kDone: the body without its content coding.
  absl::StatusOr<std::string> take_body();

 private:
  struct Beast;
  void read_head();
  void fail(absl::Status status);

  const ParserLimits limits_;
  std::unique_ptr<Beast> beast_;
  State state_ = State::kHeader;
  absl::Status failure_;
  RequestHead head_;
  bool header_too_large_ = false;
  bool in_chunk_header_ = false;  // the last call ended within the line that gives a chunk's size
  bool keep_alive_ = false;
  bool expects_continue_ = false;
};

}  // namespace bouquet::ivy::http
