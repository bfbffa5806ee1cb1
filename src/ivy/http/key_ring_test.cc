// Who is let in, and that a bad reload changes nothing.
#include "ivy/http/key_ring.h"

#include "base/testing/scratch_folder.h"
#include "gtest/gtest.h"

namespace bouquet::ivy::http {
namespace {

RequestHead with(std::string name, std::string value) {
  RequestHead head;
  head.headers = {{std::move(name), std::move(value)}};
  return head;
}

TEST(KeyRing, WithoutKeysEveryoneIsIn) {
  KeyRing ring({}, {});
  ring.read().value()();
  EXPECT_TRUE(ring.admits({}));
}

TEST(KeyRing, TakesBearerAndApiKey) {
  KeyRing ring({"one", "two"}, {});
  ring.read().value()();
  EXPECT_TRUE(ring.admits(with("authorization", "Bearer one")));
  EXPECT_TRUE(ring.admits(with("authorization", "bearer  two ")));
  EXPECT_TRUE(ring.admits(with("x-api-key", "two")));
  EXPECT_TRUE(ring.admits(with("api-key", "two")));
  EXPECT_FALSE(ring.admits(with("api-key", "three")));
  EXPECT_FALSE(ring.admits(with("authorization", "Basic one")));
  EXPECT_FALSE(ring.admits(with("authorization", "Bearer on")));
  EXPECT_FALSE(ring.admits(with("x-api-key", "")));
  EXPECT_FALSE(ring.admits({}));
}

TEST(KeyRing, ReloadsTheFileAllOrNothing) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder.write("keys", "# ours\n\n  first  \n");
  KeyRing ring({}, path);
  ring.read().value()();
  EXPECT_TRUE(ring.admits(with("x-api-key", "first")));
  folder.write("keys", "second\n");
  EXPECT_TRUE(ring.admits(with("x-api-key", "first")));
  ring.read().value()();
  EXPECT_FALSE(ring.admits(with("x-api-key", "first")));
  EXPECT_TRUE(ring.admits(with("x-api-key", "second")));
  folder.write("keys", "# nothing\n");
  EXPECT_FALSE(ring.read().ok());
  std::filesystem::remove(path);
  EXPECT_FALSE(ring.read().ok());
  EXPECT_TRUE(ring.admits(with("x-api-key", "second")));
}

}  // namespace
}  // namespace bouquet::ivy::http
