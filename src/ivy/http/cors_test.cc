// Origins that match, that don't, and the preflight.
#include "ivy/http/cors.h"

#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::ivy::http {
namespace {

RequestHead from(std::string origin) {
  RequestHead head;
  head.method = "POST";
  head.headers = {{"origin", std::move(origin)}};
  return head;
}

std::string allowed(const Cors& cors, const RequestHead& head) {
  Response response;
  cors.mark(head, &response);
  for (const auto& [name, value] : response.headers) {
    if (name == "access-control-allow-origin") return value;
  }
  return "none";
}

TEST(Cors, MarksKnownOriginsOnly) {
  const Cors cors({"https://a.example", "https://b.example"});
  EXPECT_EQ(allowed(cors, from("https://b.example")), "https://b.example");
  EXPECT_EQ(allowed(cors, from("https://c.example")), "none");
  EXPECT_EQ(allowed(cors, {}), "none");
  EXPECT_EQ(allowed(Cors({"*"}), from("https://c.example")), "*");
  EXPECT_EQ(allowed(Cors({}), from("https://c.example")), "none");
}

TEST(Cors, AnswersPreflight) {
  RequestHead head = from("https://a.example");
  head.method = "OPTIONS";
  EXPECT_FALSE(Cors({"*"}).preflight(head).has_value());
  head.headers.emplace_back("access-control-request-method", "POST");
  head.headers.emplace_back("access-control-request-headers", "authorization,x-stainless-os");
  const auto response = Cors({"*"}).preflight(head);
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, 204);
  EXPECT_EQ(response->headers[1].second, "authorization,x-stainless-os");
  head.headers.pop_back();
  EXPECT_THAT(Cors({"*"}).preflight(head)->headers[1].second, testing::HasSubstr("traceparent"));
}

}  // namespace
}  // namespace bouquet::ivy::http
