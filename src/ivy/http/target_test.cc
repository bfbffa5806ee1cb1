// Slashes, escapes and forms of the request target.
#include "ivy/http/target.h"

#include "gtest/gtest.h"

namespace bouquet::ivy::http {
namespace {

std::string path_of(std::string_view target) {
  const auto parsed = parse_target(target);
  return parsed.ok() ? parsed->path : "error";
}

TEST(Target, ForgivesSlashes) {
  EXPECT_EQ(path_of("/"), "/");
  EXPECT_EQ(path_of("//"), "/");
  EXPECT_EQ(path_of("/v1/embeddings/"), "/v1/embeddings");
  EXPECT_EQ(path_of("//v1///embeddings//"), "/v1/embeddings");
}

TEST(Target, Decodes) {
  EXPECT_EQ(path_of("/v1/models/org%2Fname"), "/v1/models/org/name");
  EXPECT_EQ(path_of("/v1/models/a%20b"), "/v1/models/a b");
  EXPECT_EQ(path_of("/a%2"), "error");
  EXPECT_EQ(path_of("/a%zz"), "error");
  EXPECT_EQ(path_of("/a%00"), "error");
}

TEST(Target, KeepsTheQueryAndDropsTheAuthority) {
  EXPECT_EQ(parse_target("/a?b=/c//d")->query, "b=/c//d");
  EXPECT_EQ(path_of("http://host:80/v1/models"), "/v1/models");
  EXPECT_EQ(path_of("http://host"), "/");
  EXPECT_EQ(path_of("*"), "*");
  EXPECT_EQ(path_of("nonsense"), "error");
  EXPECT_EQ(path_of(""), "error");
}

}  // namespace
}  // namespace bouquet::ivy::http
