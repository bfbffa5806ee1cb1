// What lies between a client and a server: connections that come and go, TLS, health, deadlines.
#include <future>
#include <thread>

#include "base/testing/certificate.h"
#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tulip/rpc/client.h"
#include "tulip/rpc/server.h"

namespace bouquet::tulip {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<Service> service() {
  constexpr const char* model = BOUQUET_SOURCE_DIR "/tests/golden/models/pool-mean";
  return *Service::create(*rose::Engine::load(model, {.threads = 1}), {.model_name = "tiny", .tune = false});
}

RpcServerOptions at(const std::string& address, TlsFiles tls = {}) {
  return {.listen = {address}, .tls = std::move(tls), .leave_time = 0ms};
}

std::shared_ptr<Client> client_of(const std::string& address, TlsFiles tls = {}) {
  return *make_rpc_client(address, {.tls = std::move(tls), .describe_timeout = 500ms});
}

bool comes_to_be(const Client& client, bool ready) {
  for (int i = 0; i < 500 && client.ready() != ready; ++i) std::this_thread::sleep_for(10ms);
  return client.ready() == ready;
}

absl::StatusOr<Reply> call(Client& client, CallOptions options = {}) {
  std::promise<absl::StatusOr<Reply>> promise;
  client.run({.ids = {2, 20, 3}, .lengths = {3}}, std::move(options),
             [&](absl::StatusOr<Reply> reply) { promise.set_value(std::move(reply)); });
  return promise.get_future().get();
}

TEST(Rpc, DescribesAndRuns) {
  const auto server = *RpcServer::start(at("127.0.0.1:0"), service());
  const auto client = client_of(server->addresses().front());
  ASSERT_TRUE(comes_to_be(*client, true));
  EXPECT_EQ(client->describe()->name, "tiny");
  const auto reply = call(*client);
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_EQ(reply->values.size(), static_cast<size_t>(reply->row_size));
}

TEST(Rpc, WithNobodyThereItIsUnavailable) {
  const auto client = client_of("127.0.0.1:1");
  EXPECT_FALSE(client->ready());
  EXPECT_EQ(call(*client).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(client->describe().status().code(), absl::StatusCode::kUnavailable);
}

TEST(Rpc, FollowsAServerThatGoesAndComesBack) {
  const ScratchFolder folder;
  const std::string address = "unix:" + (folder / "tulip").string();
  auto server = *RpcServer::start(at(address), service());
  const auto client = client_of(address);
  ASSERT_TRUE(comes_to_be(*client, true));
  server.reset();
  ASSERT_TRUE(comes_to_be(*client, false));
  EXPECT_EQ(call(*client).status().code(), absl::StatusCode::kUnavailable);
  server = *RpcServer::start(at(address), service());
  ASSERT_TRUE(comes_to_be(*client, true));
  EXPECT_TRUE(call(*client).ok());
}

TEST(Rpc, DrainingSaysGoodbyeFirst) {
  RpcServerOptions options = at("127.0.0.1:0");
  options.leave_time = 300ms;
  const auto server = *RpcServer::start(options, service());
  const auto client = client_of(server->addresses().front());
  ASSERT_TRUE(comes_to_be(*client, true));
  const std::jthread drain([&] { server->drain(); });
  ASSERT_TRUE(comes_to_be(*client, false));
  EXPECT_TRUE(call(*client).ok());  // what was on its way is still taken
}

TEST(Rpc, AnAddressThatIsTakenIsRefused) {
  const auto server = *RpcServer::start(at("127.0.0.1:0"), service());
  RpcServerOptions two = at("127.0.0.1:0");
  two.listen.push_back(server->addresses().front());
  const auto second = RpcServer::start(two, service());
  EXPECT_THAT(std::string(second.status().message()), testing::HasSubstr(server->addresses().front()));
}

TEST(Rpc, AUnixSocketIsTakenFromNobody) {
  const ScratchFolder folder;
  const std::string path = (folder / "tulip").string();
  const auto first = *RpcServer::start(at("unix:" + path), service());
  for (const std::string& address : {"unix:" + path, "unix://" + path}) {
    const auto second = RpcServer::start(at(address), service());
    EXPECT_THAT(std::string(second.status().message()), testing::HasSubstr("another server listens on " + path));
  }
  EXPECT_TRUE(client_of("unix:" + path)->describe().ok());
}

class RpcTls : public testing::Test {
 protected:
  void SetUp() override {
    make_certificate(server_.certificate, server_.key);
    make_certificate(gateway_.certificate, gateway_.key);
  }
  // Whether a client with these files is served by a server with those.
  bool is_served(const TlsFiles& client_files, const TlsFiles& server_files) {
    const auto server = *RpcServer::start(at("localhost:0", server_files), service());
    return client_of(server->addresses().front(), client_files)->describe().ok();
  }

  const ScratchFolder folder_;
  const TlsFiles server_{folder_ / "server.pem", folder_ / "server.key", {}};
  const TlsFiles gateway_{folder_ / "gateway.pem", folder_ / "gateway.key", {}};
};

TEST_F(RpcTls, TheServerShowsACertificate) {
  EXPECT_TRUE(is_served({.authority = server_.certificate}, server_));
  EXPECT_FALSE(is_served({.authority = gateway_.certificate}, server_));  // signed by somebody else
  EXPECT_FALSE(is_served({}, server_));
  EXPECT_FALSE(is_served({.authority = server_.certificate}, {}));
}

TEST_F(RpcTls, BothShowACertificate) {
  TlsFiles mutual = server_;
  mutual.authority = gateway_.certificate;
  TlsFiles gateway = gateway_;
  gateway.authority = server_.certificate;
  EXPECT_TRUE(is_served(gateway, mutual));
  EXPECT_FALSE(is_served({.authority = server_.certificate}, mutual));  // shows none
  TlsFiles stranger = server_;
  stranger.authority = server_.certificate;
  EXPECT_FALSE(is_served(stranger, mutual));  // one of another authority
}

TEST_F(RpcTls, HalfOfThePairIsRefused) {
  EXPECT_EQ(make_rpc_client("a:1", {.tls = {.certificate = "x", .authority = "y"}}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(RpcServer::start(at("127.0.0.1:0", {.key = "x"}), service()).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(RpcServer::start(at("127.0.0.1:0", {"no.pem", "no.key", {}}), service()).status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace bouquet::tulip
