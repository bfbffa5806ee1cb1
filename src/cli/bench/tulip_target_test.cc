// Against a Tulip on null kernels behind a socket.
#include "cli/bench/tulip_target.h"

#include <filesystem>

#include "base/testing/scratch_folder.h"
#include "gtest/gtest.h"
#include "rose/engine.h"
#include "tulip/rpc/server.h"

namespace bouquet::cli {
namespace {

class TulipTargetTest : public testing::Test {
 protected:
  TulipTargetTest() {
    const auto model = std::filesystem::path(BOUQUET_SOURCE_DIR) / "tests" / "golden" / "models" / "pool-mean";
    auto engine = rose::Engine::load(model, {.kernels = "null", .threads = 1});
    tulip::ServiceOptions options{.model_name = "tiny", .tune = false};
    options.runner.scheduler.mixed_budget = options.runner.scheduler.bulk_budget = 64;
    service_ = *tulip::Service::create(*std::move(engine), options);
    address_ = "unix:" + (folder_ / "tulip").string();
    server_ = *tulip::RpcServer::start({.listen = {address_}, .leave_time = std::chrono::milliseconds(0)}, service_);
  }

  ScratchFolder folder_;
  std::shared_ptr<tulip::Service> service_;
  std::string address_;
  std::unique_ptr<tulip::RpcServer> server_;
};

TEST_F(TulipTargetTest, ARequestOfSeveralChunksIsAnsweredAsOne) {
  const auto target = TulipTarget::find(address_);
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_EQ((*target)->card().name, "tiny");
  EXPECT_GT((*target)->max_tokens(), 0);
  const Connect connect = (*target)->prepare({Ask::Kind::kEmbed, 50, 8});
  EXPECT_EQ(connect()->send(), absl::OkStatus());
}

TEST_F(TulipTargetTest, WhatTheReplicaRefusesIsAnError) {
  const auto target = TulipTarget::find(address_);
  ASSERT_TRUE(target.ok()) << target.status();
  const Connect connect = (*target)->prepare({Ask::Kind::kScore, 1, 8});
  EXPECT_TRUE(absl::IsInvalidArgument(connect()->send()));  // the model gives embeddings
}

TEST(TulipTarget, NobodyThereIsTold) {
  const auto target = TulipTarget::find("unix:/nowhere/at/all");
  EXPECT_TRUE(absl::IsUnavailable(target.status()));
  EXPECT_NE(target.status().message().find("/nowhere/at/all"), std::string::npos);
}

}  // namespace
}  // namespace bouquet::cli
