// What lies between a client and a server: connections that come and go, TLS, health, deadlines.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

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

TEST(Rpc, CallersAreToldInPlainWords) {
  const auto nobody = client_of("127.0.0.1:1");
  EXPECT_EQ(call(*nobody).status().message(), "the connection to the replica failed");

  const int silent = ::socket(AF_INET, SOCK_STREAM, 0);  // takes connections and says nothing
  sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(silent, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(silent, 8), 0);
  ::getsockname(silent, reinterpret_cast<sockaddr*>(&address), &size);
  const auto client = client_of("127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
  const absl::Status late = call(*client, {.deadline = Clock::now() + 100ms}).status();
  EXPECT_EQ(late, absl::DeadlineExceededError("the replica did not answer in time"));
  ::close(silent);

  const auto server = *RpcServer::start(at("127.0.0.1:0"), service());
  const auto bad = client_of(server->addresses().front());
  ASSERT_TRUE(comes_to_be(*bad, true));
  std::promise<absl::Status> promise;
  bad->run({.ids = {2}, .lengths = {2}}, {}, [&](const auto& reply) { promise.set_value(reply.status()); });
  const absl::Status refused = promise.get_future().get();  // in the server's own words
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(refused.message(), "");
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
  EXPECT_TRUE(server->ready());
  const std::jthread drain([&] { server->drain(); });
  ASSERT_TRUE(comes_to_be(*client, false));
  EXPECT_FALSE(server->ready());
  EXPECT_TRUE(call(*client).ok());  // what was on its way is still taken
}

TEST(Rpc, AnAddressThatIsTakenIsRefused) {
  const auto server = *RpcServer::start(at("127.0.0.1:0"), service());
  RpcServerOptions two = at("127.0.0.1:0");
  two.listen.push_back(server->addresses().front());
  const auto second = RpcServer::start(two, service());
  EXPECT_THAT(std::string(second.status().message()), testing::HasSubstr(server->addresses().front()));
}

TEST(Rpc, WhatIsNoAddressIsRefused) {
  for (const char* address : {"9090", ":9090", "localhost:", "localhost:http", "localhost:70000"}) {
    const auto server = RpcServer::start(at(address), service());
    EXPECT_THAT(std::string(server.status().message()), testing::HasSubstr("should be host:port")) << address;
  }
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

TEST_F(RpcTls, AServersNewCertificateIsShownOnceItIsRead) {
  const auto server = *RpcServer::start(at("localhost:0", server_), service());
  const std::string& address = server->addresses().front();
  const TlsFiles old{.authority = folder_ / "old.pem"};
  std::filesystem::copy_file(server_.certificate, old.authority);
  const auto before = client_of(address, old);
  ASSERT_TRUE(comes_to_be(*before, true));

  make_certificate(server_.certificate, folder_ / "another.key");
  EXPECT_THAT(std::string(server->read_certificates().status().message()),
              testing::HasSubstr("server.key is not the key of the certificate in"));
  EXPECT_TRUE(client_of(address, old)->describe().ok());

  make_certificate(server_.certificate, server_.key);
  const auto change = server->read_certificates();
  ASSERT_TRUE(change.ok()) << change.status();
  (*change)();
  EXPECT_TRUE(client_of(address, {.authority = server_.certificate})->describe().ok());
  EXPECT_FALSE(client_of(address, old)->describe().ok());
  EXPECT_TRUE(call(*before).ok());  // its connection goes on
}

TEST_F(RpcTls, AServersNewAuthorityHoldsForNewConnections) {
  TlsFiles mutual = server_;
  mutual.authority = folder_ / "gateways.pem";
  std::filesystem::copy_file(gateway_.certificate, mutual.authority);
  const auto server = *RpcServer::start(at("localhost:0", mutual), service());
  TlsFiles gateway = gateway_;
  gateway.authority = server_.certificate;
  EXPECT_TRUE(client_of(server->addresses().front(), gateway)->describe().ok());
  std::filesystem::copy_file(server_.certificate, mutual.authority, std::filesystem::copy_options::overwrite_existing);
  (*server->read_certificates())();
  EXPECT_FALSE(client_of(server->addresses().front(), gateway)->describe().ok());
}

TEST_F(RpcTls, AClientConnectsAnewWithItsNewFiles) {
  TlsFiles gateway = gateway_;
  gateway.authority = folder_ / "authority.pem";
  std::filesystem::copy_file(server_.certificate, gateway.authority);
  const auto security = *ChannelSecurity::create(gateway);
  auto server = std::optional(*RpcServer::start(at("localhost:0", server_), service()));
  const std::string address = (*server)->addresses().front();
  const auto client = make_rpc_client(address, security, {});
  ASSERT_TRUE(comes_to_be(*client, true));

  // Files that the server does not fit: what there is goes on.
  std::filesystem::copy_file(gateway_.certificate, gateway.authority,
                             std::filesystem::copy_options::overwrite_existing);
  (*security->read_again())();
  for (int i = 0; i < 20; ++i, std::this_thread::sleep_for(20ms)) ASSERT_TRUE(client->ready() && call(*client).ok());

  // Files that another server fits, which takes the place of the first.
  server.reset();
  ASSERT_TRUE(comes_to_be(*client, false));
  TlsFiles next{folder_ / "next.pem", folder_ / "next.key", {}};
  make_certificate(next.certificate, next.key);
  server = *RpcServer::start(at(address, next), service());
  std::filesystem::copy_file(next.certificate, gateway.authority, std::filesystem::copy_options::overwrite_existing);
  (*security->read_again())();
  EXPECT_TRUE(comes_to_be(*client, true));
  EXPECT_TRUE(call(*client).ok());
}

TEST_F(RpcTls, FilesThatAreNotWhatTheyShouldBeAreNamed) {
  const auto refusal = [](const TlsFiles& files) {
    return std::string(RpcServer::start(at("127.0.0.1:0", files), service()).status().message());
  };
  EXPECT_THAT(refusal({server_.certificate, gateway_.key, {}}), testing::HasSubstr("gateway.key is not the key of"));
  EXPECT_THAT(refusal({server_.key, server_.key, {}}), testing::HasSubstr("server.key holds no certificate"));
  EXPECT_THAT(refusal({server_.certificate, server_.certificate, {}}), testing::HasSubstr("server.pem holds no key"));
  EXPECT_THAT(refusal({server_.certificate, server_.key, server_.key}), testing::HasSubstr("holds no certificate"));
  TlsFiles mismatch = gateway_;
  mismatch.key = server_.key;
  mismatch.authority = server_.certificate;
  EXPECT_FALSE(make_rpc_client("a:1", {.tls = mismatch}).ok());
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
