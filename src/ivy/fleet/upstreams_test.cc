// Members come and go with the list, with readiness and with names.
#include "ivy/fleet/upstreams.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/fakes.h"

namespace bouquet::ivy {
namespace {

using namespace std::chrono_literals;
using testing_fakes::embedder_card;
using testing_fakes::FakeClient;

class UpstreamsTest : public testing::Test {
 protected:
  std::shared_ptr<FakeClient> at(const std::string& address) {
    std::lock_guard lock(mutex_);
    auto& client = clients_[address];
    if (!client) client = std::make_shared<FakeClient>(address == "foreign:1" ? foreign() : embedder_card());
    return client;
  }
  static tulip::ModelCard foreign() {
    tulip::ModelCard card = embedder_card();
    card.weights_fingerprint = 5;
    return card;
  }
  bool comes_to(size_t members) {
    for (int i = 0; i < 1000 && fleet_->size() != members; ++i) std::this_thread::sleep_for(2ms);
    return fleet_->size() == members;
  }

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<FakeClient>> clients_;
  const std::shared_ptr<Fleet> fleet_ = std::make_shared<Fleet>(FleetOptions{});
  Upstreams upstreams_{fleet_, [this](const std::string& address) { return at(address); }, {2ms, 10ms, 5ms}};
};

TEST_F(UpstreamsTest, MembersAreWhatTheListSays) {
  upstreams_.set({"a:1", "b:1"});
  EXPECT_TRUE(comes_to(2));
  upstreams_.set({"b:1", "c:1", "d:1"});
  EXPECT_TRUE(comes_to(3));
  upstreams_.set({});
  EXPECT_TRUE(comes_to(0));
}

TEST_F(UpstreamsTest, OneThatIsNotReadyLeavesAndComesBack) {
  at("a:1")->set_ready(false);
  upstreams_.set({"a:1", "b:1"});
  EXPECT_TRUE(comes_to(1));
  at("a:1")->set_ready(true);
  EXPECT_TRUE(comes_to(2));
  at("b:1")->set_ready(false);
  EXPECT_TRUE(comes_to(1));
}

TEST_F(UpstreamsTest, OneOfAnotherKindIsRefused) {
  upstreams_.set({"a:1"});
  EXPECT_TRUE(comes_to(1));
  upstreams_.set({"a:1", "foreign:1"});
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(fleet_->size(), 1u);
}

TEST_F(UpstreamsTest, NamesStandForTheirAddresses) {
  upstreams_.set({"dns:localhost:9", "dns:no.such.name.invalid:9"});
  EXPECT_TRUE(comes_to(resolve("localhost:9")->size()));
}

TEST(CheckUpstream, TakesWhatCanBeReached) {
  for (const char* good :
       {"host:9090", "10.0.0.5:1", "[::1]:65535", "dns:a.b.svc:9090", "unix:/run/t.sock", "unix:t"}) {
    EXPECT_TRUE(check_upstream(good).ok()) << check_upstream(good);
  }
}

TEST(CheckUpstream, SaysWhatIsWrong) {
  const auto refused = [](const char* upstream) { return std::string(check_upstream(upstream).message()); };
  EXPECT_THAT(refused("host"), testing::HasSubstr("no port"));
  EXPECT_THAT(refused("[::1]"), testing::HasSubstr("no port"));
  EXPECT_THAT(refused("host:http"), testing::HasSubstr("no port from 1"));
  EXPECT_THAT(refused("host:0"), testing::HasSubstr("no port from 1"));
  EXPECT_THAT(refused("host:65536"), testing::HasSubstr("no port from 1"));
  EXPECT_THAT(refused("http://localhost:19090"), testing::HasSubstr("host that can't be one"));
  EXPECT_THAT(refused("bad::entry:1"), testing::HasSubstr("colons"));
  EXPECT_THAT(refused(":9090"), testing::HasSubstr("no host"));
  EXPECT_THAT(refused("unix:"), testing::HasSubstr("no path"));
}

TEST(Resolve, NumbersStandForThemselves) {
  EXPECT_THAT(*resolve("127.0.0.1:80"), testing::ElementsAre("127.0.0.1:80"));
  EXPECT_EQ(resolve("localhost").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(resolve("no.such.name.invalid:1").ok());
}

}  // namespace
}  // namespace bouquet::ivy
