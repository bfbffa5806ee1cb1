// gRPC's words in ours.
#include "tulip/rpc/reasons.h"

#include "gtest/gtest.h"

namespace bouquet::tulip {
namespace {

TEST(PlainReason, SaysWhatIsTheMatter) {
  EXPECT_EQ(plain_reason("failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:1: Failed to connect "
                         "to remote host: Connection refused"),
            "nobody listens there");
  EXPECT_EQ(plain_reason("keepalive watchdog timeout"), "it no longer answers");
}

TEST(PlainReason, LeavesWhatItDoesNotKnow) { EXPECT_EQ(plain_reason("never heard of"), "never heard of"); }

}  // namespace
}  // namespace bouquet::tulip
