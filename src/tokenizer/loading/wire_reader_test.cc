// Each kind of value, and bytes that are no message.
#include "tokenizer/loading/wire_reader.h"

#include <string>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

using namespace std::string_literals;

TEST(WireReader, ReadsEachKind) {
  const std::string message = "\x08\x96\x01\x12\x02hi\x1d\x00\x00\x80\x3f\x21\x01\x02\x03\x04\x05\x06\x07\x08\x2a\x00"s;
  WireReader reader(message);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.field(), 1u);
  EXPECT_EQ(reader.number(), 150);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.bytes(), "hi");
  EXPECT_EQ(reader.number(), 0);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.real(), 1.0f);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.field(), 4u);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.bytes(), "");
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.ok());
}

TEST(WireReader, NegativeNumbersTakeTenBytes) {
  const std::string message = "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s;
  WireReader reader(message);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.number(), -1);
}

TEST(WireReader, StopsAtNonsense) {
  for (const std::string& message :
       {"\x08"s, "\x12\x05hi"s, "\x0b"s, "\x00\x01"s, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s, "\x1d\x00"s,
        "\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7fhi"s}) {
    WireReader reader(message);
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.ok());
  }
}

}  // namespace
}  // namespace bouquet::tokenizer
