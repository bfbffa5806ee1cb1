// Header lookup.
#include "ivy/http/message.h"

#include "gtest/gtest.h"

namespace bouquet::ivy::http {
namespace {

TEST(Message, HeaderIsTheFirstOfItsName) {
  RequestHead head;
  head.headers = {{"a", "1"}, {"b", "2"}, {"a", "3"}};
  EXPECT_EQ(head.header("a"), "1");
  EXPECT_EQ(head.header("c"), "");
}

}  // namespace
}  // namespace bouquet::ivy::http
