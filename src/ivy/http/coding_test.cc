// Both ways, and the bombs and cuts in between.
#include "ivy/http/coding.h"

#include <zlib.h>

#include "gtest/gtest.h"
#include "ivy/failure.h"

namespace bouquet::ivy::http {
namespace {

std::string zlib_data(const std::string& text) {
  std::string out(compressBound(text.size()), '\0');
  uLongf size = out.size();
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size());
  out.resize(size);
  return out;
}

TEST(Coding, GzipThereAndBack) {
  const std::string text(100'000, 'x');
  const std::string packed = gzip(text);
  EXPECT_LT(packed.size(), 2000u);
  EXPECT_EQ(*decode_content("gzip", packed, 1 << 20), text);
  EXPECT_EQ(*decode_content(" X-GZIP ", packed, 1 << 20), text);
  EXPECT_EQ(*decode_content("gzip, gzip", gzip(packed), 1 << 20), text);
  EXPECT_EQ(*decode_content("gzip", gzip(""), 10), "");
}

TEST(Coding, DeflateWithAndWithoutItsWrapper) {
  const std::string wrapped = zlib_data("two kinds of traffic");
  EXPECT_EQ(*decode_content("deflate", wrapped, 100), "two kinds of traffic");
  const std::string raw = wrapped.substr(2, wrapped.size() - 6);
  EXPECT_EQ(*decode_content("deflate", raw, 100), "two kinds of traffic");
}

TEST(Coding, IdentityPasses) {
  EXPECT_EQ(*decode_content("", "abc", 1), "abc");
  EXPECT_EQ(*decode_content("identity", "abc", 1), "abc");
}

TEST(Coding, BombsAreStoppedAtTheLimit) {
  const auto result = decode_content("gzip", gzip(std::string(10 << 20, '\0')), 1 << 20);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kOutOfRange);
}

TEST(Coding, BrokenAndUnknownAreRefused) {
  const std::string packed = gzip("hello hello hello");
  for (const std::string& body :
       {packed.substr(0, packed.size() - 1), packed + "x", std::string("nonsense"), std::string()}) {
    EXPECT_EQ(fault_of(decode_content("gzip", body, 1000).status()), InputFault::kMalformed);
  }
  EXPECT_FALSE(decode_content("br", "x", 10).ok());
}

TEST(Coding, ReadsAcceptEncoding) {
  EXPECT_TRUE(accepts_gzip("gzip, deflate"));
  EXPECT_TRUE(accepts_gzip("br;q=1.0, GZIP;q=0.8"));
  EXPECT_TRUE(accepts_gzip("*"));
  EXPECT_FALSE(accepts_gzip("gzip;q=0"));
  EXPECT_FALSE(accepts_gzip("br"));
  EXPECT_FALSE(accepts_gzip(""));
}

}  // namespace
}  // namespace bouquet::ivy::http
