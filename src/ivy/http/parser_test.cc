// Requests as clients really send them, in one piece and byte by byte.
#include "ivy/http/parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/failure.h"
#include "ivy/http/coding.h"

namespace bouquet::ivy::http {
namespace {

using testing::HasSubstr;

// Feeds `bytes` in pieces; returns what was left over.
std::string_view feed_all(Parser& parser, std::string_view bytes, size_t piece) {
  std::string_view left = bytes;
  size_t shown = std::min(piece, left.size());
  while (parser.state() < Parser::State::kDone) {
    const size_t used = parser.feed(left.substr(0, shown));
    left.remove_prefix(used);
    shown -= used;
    if (parser.state() >= Parser::State::kDone) break;
    if (used == 0 && shown == left.size()) break;
    if (used == 0 || shown == 0) shown = std::min(shown + piece, left.size());
  }
  return left;
}

TEST(Parser, ReadsARequestInPiecesOfAnySize) {
  const std::string bytes =
      "POST /v1//embeddings/?a=b HTTP/1.1\r\nHost: x\r\nX-Thing:  y \r\nContent-Length: 5\r\n\r\nhelloGET / "
      "HTTP/1.1\r\n";
  for (size_t piece : {size_t{1}, size_t{7}, bytes.size()}) {
    Parser parser({});
    EXPECT_THAT(std::string(feed_all(parser, bytes, piece)), testing::StartsWith("G")) << piece;
    ASSERT_EQ(parser.state(), Parser::State::kDone);
    EXPECT_EQ(parser.head().method, "POST");
    EXPECT_EQ(parser.head().path, "/v1/embeddings");
    EXPECT_EQ(parser.head().query, "a=b");
    EXPECT_EQ(parser.head().header("x-thing"), "y");
    EXPECT_TRUE(parser.keep_alive());
    EXPECT_EQ(*parser.take_body(), "hello");
  }
}

TEST(Parser, ReadsChunkedBodies) {
  const std::string bytes =
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "4;ext=1\r\nhell\r\n1\r\no\r\n0\r\nTrailer: z\r\n\r\n";
  for (size_t piece : {size_t{1}, bytes.size()}) {
    Parser parser({});
    feed_all(parser, bytes, piece);
    ASSERT_EQ(parser.state(), Parser::State::kDone) << piece << parser.failure();
    EXPECT_EQ(*parser.take_body(), "hello");
  }
}

TEST(Parser, ReadsAnEmptyChunkedBodyByteByByte) {
  for (const char* body : {"0\r\n\r\n", "0\r\nTrailer: z\r\n\r\n", "1\r\na\r\n0\r\n\r\n"}) {
    Parser parser({});
    feed_all(parser, std::string("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n") + body, 1);
    EXPECT_EQ(parser.state(), Parser::State::kDone) << body;
  }
}

TEST(Parser, KnowsHttp10AndExpect) {
  Parser old({});
  feed_all(old, "GET /health HTTP/1.0\r\n\r\n", 100);
  EXPECT_EQ(old.state(), Parser::State::kDone);
  EXPECT_FALSE(old.keep_alive());
  EXPECT_TRUE(old.head().http10);
  Parser waiting({});
  feed_all(waiting, "POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n", 100);
  EXPECT_EQ(waiting.state(), Parser::State::kBody);
  EXPECT_TRUE(waiting.expects_continue());
}

TEST(Parser, InflatesWithinTheLimit) {
  const std::string body = gzip(std::string(5000, 'a'));
  const std::string bytes =
      "POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  Parser parser({});
  feed_all(parser, bytes, bytes.size());
  EXPECT_EQ(parser.take_body()->size(), 5000u);
  Parser small({.body_bytes = 1000});
  feed_all(small, bytes, bytes.size());
  EXPECT_EQ(small.take_body().status().code(), absl::StatusCode::kOutOfRange);
}

TEST(Parser, RefusesTooLarge) {
  Parser announced({.body_bytes = 10});
  feed_all(announced, "POST /embed HTTP/1.1\r\nContent-Length: 11\r\n\r\n", 100);
  EXPECT_EQ(announced.failure().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(announced.head().path, "/embed");
  Parser chunked({.body_bytes = 10});
  feed_all(chunked, "POST /embed HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n12345678\r\n8\r\n12345678\r\n",
           500);
  EXPECT_EQ(chunked.failure().code(), absl::StatusCode::kOutOfRange);
  Parser header({.header_bytes = 100});
  feed_all(header, "GET / HTTP/1.1\r\nX: " + std::string(200, 'x') + "\r\n\r\n", 50);
  EXPECT_EQ(header.failure().code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE(header.header_too_large());
}

TEST(Parser, SeesAFoldedHeaderHoweverItIsCut) {
  const std::string bytes = "POST / HTTP/1.1\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n";
  for (size_t step = 1; step < bytes.size(); ++step) {
    Parser parser({});
    feed_all(parser, bytes, step);
    EXPECT_EQ(parser.state(), Parser::State::kFailed) << step;
  }
}

TEST(Parser, RefusesWhatIsNoRequest) {
  for (const char* bytes :
       {"nonsense\r\n\r\n", "GET / HTTP/3.0\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02\x00\x01\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked, identity\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding:\r\n chunked\r\n\r\n", "POST / HTTP/1.1\r\nX: a\r\n\tb\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "GET /%zz HTTP/1.1\r\n\r\n"}) {
    Parser parser({});
    feed_all(parser, bytes, 1000);
    EXPECT_EQ(parser.state(), Parser::State::kFailed) << bytes;
    EXPECT_EQ(fault_of(parser.failure()), InputFault::kMalformed) << bytes;
  }
}

}  // namespace
}  // namespace bouquet::ivy::http
