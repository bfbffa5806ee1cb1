// Header lines, compression, request ids.
#include "ivy/http/reply.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/http/coding.h"

namespace bouquet::ivy::http {
namespace {

using testing::HasSubstr;
using testing::Not;

Response with_body(std::string body) {
  Response response;
  response.body = std::move(body);
  return response;
}

TEST(Reply, WritesTheHeader) {
  Response response = with_body("{}");
  response.headers = {{"x-evil", "a\r\nset-cookie: b"}};
  const WireReply wire = write_reply(response, {.request_id = "id-1"});
  EXPECT_THAT(wire.header, testing::StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(wire.header, testing::EndsWith("\r\n\r\n"));
  EXPECT_THAT(wire.header, HasSubstr("content-length: 2\r\n"));
  EXPECT_THAT(wire.header, HasSubstr("x-request-id: id-1\r\n"));
  EXPECT_THAT(wire.header, HasSubstr("x-evil: aset-cookie: b\r\n"));
  EXPECT_THAT(wire.header, Not(HasSubstr("connection:")));
  EXPECT_EQ(wire.body, "{}");
}

TEST(Reply, HeadKeepsTheLengthOnly) {
  const WireReply wire = write_reply(with_body("12345"), {.head_only = true, .http10 = true});
  EXPECT_THAT(wire.header, HasSubstr("content-length: 5\r\n"));
  EXPECT_THAT(wire.header, HasSubstr("connection: keep-alive\r\n"));
  EXPECT_EQ(wire.body, "");
}

TEST(Reply, IsMadeTheLastOfItsConnection) {
  for (const bool http10 : {false, true}) {
    WireReply wire = write_reply(with_body("12345"), {.http10 = http10});
    make_last(&wire);
    EXPECT_FALSE(wire.keep_alive);
    EXPECT_THAT(wire.header, HasSubstr(" 200 OK\r\nconnection: close\r\n"));
    EXPECT_THAT(wire.header, testing::Not(HasSubstr("keep-alive")));
    const std::string once = wire.header;
    make_last(&wire);
    EXPECT_EQ(wire.header, once);
  }
}

TEST(Reply, CompressesLargeBodiesForThoseWhoAsk) {
  const std::string body(10'000, 'a');
  EXPECT_EQ(write_reply(with_body(body), {.gzip = true, .compress_from_bytes = 20'000}).body, body);
  EXPECT_EQ(write_reply(with_body(body), {.gzip = true}).body, body);
  EXPECT_EQ(write_reply(with_body(body), {.compress_from_bytes = 100}).body, body);
  const WireReply wire = write_reply(with_body(body), {.gzip = true, .compress_from_bytes = 100});
  EXPECT_THAT(wire.header, HasSubstr("content-encoding: gzip"));
  EXPECT_EQ(*decode_content("gzip", wire.body, 20'000), body);
}

TEST(Reply, KeepsSaneIdsAndMakesOthers) {
  EXPECT_EQ(request_id("abc-123"), "abc-123");
  EXPECT_NE(request_id("a b"), "a b");
  EXPECT_NE(request_id(""), request_id(""));
  EXPECT_LE(request_id(std::string(200, 'a')).size(), 20u);
}

TEST(Reply, NamesStatuses) {
  EXPECT_EQ(reason_of(429), "Too Many Requests");
  EXPECT_EQ(reason_of(799), "Unknown");
}

}  // namespace
}  // namespace bouquet::ivy::http
