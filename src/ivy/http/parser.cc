// Drives Beast's request parser: the header first, then the body.
#include "ivy/http/parser.h"

#define BOOST_ASIO_SEPARATE_COMPILATION
#define BOOST_BEAST_SEPARATE_COMPILATION
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ivy/failure.h"
#include "ivy/http/coding.h"
#include "ivy/http/target.h"

namespace bouquet::ivy::http {
namespace {

namespace beast_http = boost::beast::http;

constexpr size_t kMostHeaders = 128;
// "0\r\n\r\n": no chunked body ends in less, and Beast 1.81 aborts when it has seen a last chunk's size and is then
// called with less.
constexpr size_t kLastChunkBytes = 5;

// Where a server behind or before us may read a header in another way, it is refused: what one takes for a body, the
// other would take for the next request (RFC 9112, sections 5.2, 6.1 and 11.2).
bool has_fold(std::string_view header) {
  return header.find("\r\n ") != header.npos || header.find("\r\n\t") != header.npos;
}

absl::Status check_coding(const RequestHead& head) {
  int codings = 0;
  for (const auto& [name, value] : head.headers) {
    if (name != "transfer-encoding") continue;
    if (++codings > 1 || head.http10 || !absl::EqualsIgnoreCase(value, "chunked")) {
      return malformed_input(absl::StrCat("Transfer-Encoding ", value, " is not supported: chunked is, in HTTP/1.1"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

struct Parser::Beast {
  beast_http::request_parser<beast_http::string_body> parser;
};

Parser::Parser(const ParserLimits& limits) : limits_(limits), beast_(std::make_unique<Beast>()) {
  beast_->parser.header_limit(static_cast<uint32_t>(limits.header_bytes));
  beast_->parser.body_limit(limits.body_bytes);
  beast_->parser.eager(false);
}

Parser::~Parser() = default;

void Parser::fail(absl::Status status) {
  state_ = State::kFailed;
  failure_ = std::move(status);
}

size_t Parser::body_bytes() const { return beast_->parser.get().body().size(); }

size_t Parser::feed(std::string_view bytes) {
  if (state_ >= State::kDone || (in_chunk_header_ && bytes.size() < kLastChunkBytes)) return 0;
  auto& parser = beast_->parser;
  boost::system::error_code error;
  const size_t used = parser.put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
  in_chunk_header_ = state_ == State::kBody && used == 0 && error == beast_http::error::need_more;
  if (error == beast_http::error::need_more) {
    if (used == 0 && state_ == State::kHeader && bytes.size() > limits_.header_bytes) {
      error = beast_http::error::header_limit;
    } else {
      error = {};
    }
  }
  if (error) {
    read_head();
    header_too_large_ = error == beast_http::error::header_limit;
    if (header_too_large_) {
      fail(absl::OutOfRangeError(absl::StrCat("the header is larger than ", limits_.header_bytes, " bytes")));
    } else if (error == beast_http::error::body_limit) {
      fail(absl::OutOfRangeError(absl::StrCat("the body is larger than ", limits_.body_bytes, " bytes")));
    } else {
      fail(malformed_input(absl::StrCat("this is not an HTTP request: ", error.message())));
    }
    return used;
  }
  if (state_ == State::kHeader && has_fold(bytes.substr(0, used))) {
    fail(malformed_input("a header goes on in the next line, which HTTP/1.1 no longer allows"));
    return used;
  }
  if (state_ == State::kHeader && parser.is_header_done()) {
    state_ = State::kBody;
    parser.eager(true);
    read_head();
    if (absl::Status status = check_coding(head_); !status.ok()) fail(std::move(status));
  }
  if (state_ == State::kBody && parser.is_done()) state_ = State::kDone;
  return used;
}

void Parser::read_head() {
  const auto& message = beast_->parser.get();
  head_.method = std::string(message.method_string());
  head_.http10 = message.version() == 10;
  head_.headers.clear();
  for (const auto& field : message) {
    head_.headers.emplace_back(absl::AsciiStrToLower(std::string(field.name_string())), std::string(field.value()));
  }
  keep_alive_ = message.keep_alive();
  expects_continue_ = !head_.http10 && absl::EqualsIgnoreCase(std::string(head_.header("expect")), "100-continue");
  if (head_.headers.size() > kMostHeaders) {
    header_too_large_ = true;
    return fail(absl::OutOfRangeError(absl::StrCat("more than ", kMostHeaders, " headers")));
  }
  absl::StatusOr<Target> target = parse_target(std::string(message.target()));
  if (!target.ok()) return fail(target.status());
  head_.path = std::move(target->path);
  head_.query = std::move(target->query);
}

absl::StatusOr<std::string> Parser::take_body() {
  return decode_content(head_.header("content-encoding"), std::move(beast_->parser.get().body()), limits_.body_bytes);
}

}  // namespace bouquet::ivy::http
