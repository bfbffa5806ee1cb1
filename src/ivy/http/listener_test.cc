// TCP, unix sockets and TLS; errors that say what is wrong.
#include "ivy/http/listener.h"

#include <openssl/ssl.h>

#include <filesystem>

#include "base/testing/certificate.h"
#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/raw_client.h"

namespace bouquet::ivy::http {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing_fakes::RawClient;

class HelloHandler : public Handler {
 public:
  std::optional<Response> admit(const RequestHead&) override { return std::nullopt; }
  void handle(Request request, Respond respond) override {
    Response response;
    response.body = "hello " + request.body;
    respond(std::move(response));
  }
  Response refuse(const RequestHead&, const absl::Status&) override { return {}; }
  void finished(const Exchange&) override {}
};

class ListenerTest : public testing::Test {
 protected:
  ScratchFolder folder_;
  HelloHandler handler_;
  ListenOptions listen_;
};

TEST_F(ListenerTest, FindsAFreePort) {
  const auto listener = Listener::start(listen_, {}, handler_);
  ASSERT_TRUE(listener.ok()) << listener.status();
  EXPECT_GT((*listener)->port(), 0);
  ListenOptions same = listen_;
  same.port = (*listener)->port();
  EXPECT_THAT(std::string(Listener::start(same, {}, handler_).status().message()),
              HasSubstr("cannot listen on 127.0.0.1:"));
  ListenOptions nowhere = listen_;
  nowhere.host = "no.such.host.invalid";
  EXPECT_FALSE(Listener::start(nowhere, {}, handler_).ok());
}

TEST_F(ListenerTest, ServesAUnixSocketAndReplacesAStaleOne) {
  listen_.port = -1;
  listen_.unix_socket = folder_ / "listener.sock";
  {
    auto listener = Listener::start(listen_, {}, handler_);
    ASSERT_TRUE(listener.ok()) << listener.status();
    EXPECT_EQ((*listener)->port(), -1);
    RawClient client(listen_.unix_socket.string());
    client.send("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx");
    EXPECT_THAT(client.read_reply(), EndsWith("hello x"));
    EXPECT_FALSE(Listener::start(listen_, {}, handler_).ok());
  }
  EXPECT_FALSE(std::filesystem::exists(listen_.unix_socket));
  const int stale = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, listen_.unix_socket.c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(stale, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  ::close(stale);
  EXPECT_TRUE(Listener::start(listen_, {}, handler_).ok());
}

TEST_F(ListenerTest, SpeaksTls) {
  listen_.tls_certificate = folder_ / "certificate.pem";
  listen_.tls_key = folder_ / "key.pem";
  make_certificate(listen_.tls_certificate, listen_.tls_key);
  const auto listener = Listener::start(listen_, {}, handler_);
  ASSERT_TRUE(listener.ok()) << listener.status();

  RawClient tcp((*listener)->port());
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL* ssl = SSL_new(context);
  const unsigned char protocols[] = "\x02h2\x08http/1.1";
  SSL_set_alpn_protos(ssl, protocols, sizeof(protocols) - 1);
  SSL_set_fd(ssl, tcp.descriptor());
  ASSERT_EQ(SSL_connect(ssl), 1);
  const unsigned char* chosen = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl, &chosen, &size);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(chosen), size), "http/1.1");
  for (int round = 0; round < 3; ++round) {
    const std::string request = "POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx";
    SSL_write(ssl, request.data(), static_cast<int>(request.size()));
    std::string reply;
    char bytes[4096];
    while (!reply.ends_with("hello x")) {
      const int count = SSL_read(ssl, bytes, sizeof(bytes));
      ASSERT_GT(count, 0) << reply;
      reply.append(bytes, static_cast<size_t>(count));
    }
  }
  SSL_shutdown(ssl);
  SSL_free(ssl);
  SSL_CTX_free(context);

  RawClient plain((*listener)->port());
  plain.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(plain.read_reply().find("hello"), std::string::npos);
}

TEST_F(ListenerTest, NowhereToListenIsRefused) {
  listen_.port = -1;
  EXPECT_THAT(std::string(Listener::start(listen_, {}, handler_).status().message()), HasSubstr("nowhere to listen"));
}

// The certificate in a file, and the one that a server shows.
std::string certificate_in(const std::filesystem::path& file) {
  FILE* open = std::fopen(file.c_str(), "r");
  X509* x509 = PEM_read_X509(open, nullptr, nullptr, nullptr);
  std::fclose(open);
  std::string out(EVP_MAX_MD_SIZE, '\0');
  X509_digest(x509, EVP_sha256(), reinterpret_cast<unsigned char*>(out.data()), nullptr);
  X509_free(x509);
  return out;
}
std::string certificate_at(int port) {
  RawClient tcp(port);
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL* ssl = SSL_new(context);
  SSL_set_fd(ssl, tcp.descriptor());
  std::string out(EVP_MAX_MD_SIZE, '\0');
  if (SSL_connect(ssl) == 1) {
    X509_digest(SSL_get0_peer_certificate(ssl), EVP_sha256(), reinterpret_cast<unsigned char*>(out.data()), nullptr);
  }
  SSL_free(ssl);
  SSL_CTX_free(context);
  return out;
}

TEST_F(ListenerTest, ShowsANewCertificateOnceItIsRead) {
  listen_.tls_certificate = folder_ / "certificate.pem";
  listen_.tls_key = folder_ / "key.pem";
  make_certificate(listen_.tls_certificate, listen_.tls_key);
  const std::string first = certificate_in(listen_.tls_certificate);
  const auto listener = *Listener::start(listen_, {}, handler_);
  EXPECT_EQ(certificate_at(listener->port()), first);

  make_certificate(listen_.tls_certificate, folder_ / "another_key.pem");
  EXPECT_FALSE(listener->read_certificate().ok());  // the key is of the old one
  EXPECT_EQ(certificate_at(listener->port()), first);

  make_certificate(listen_.tls_certificate, listen_.tls_key);
  const auto change = listener->read_certificate();
  ASSERT_TRUE(change.ok()) << change.status();
  EXPECT_EQ(certificate_at(listener->port()), first);
  (*change)();
  EXPECT_EQ(certificate_at(listener->port()), certificate_in(listen_.tls_certificate));
}

TEST_F(ListenerTest, WithoutTlsThereIsNoCertificateToRead) {
  const auto listener = *Listener::start(listen_, {}, handler_);
  const auto change = listener->read_certificate();
  ASSERT_TRUE(change.ok());
  (*change)();
  RawClient client(listener->port());
  client.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(client.read_reply(), EndsWith("hello "));
}

TEST_F(ListenerTest, TlsNeedsBothFiles) {
  listen_.tls_certificate = folder_ / "certificate.pem";
  EXPECT_THAT(std::string(Listener::start(listen_, {}, handler_).status().message()), HasSubstr("both"));
  listen_.tls_key = folder_ / "no_such_key.pem";
  EXPECT_FALSE(Listener::start(listen_, {}, handler_).ok());
}

TEST_F(ListenerTest, ConnectionsBeyondTheLimitAreClosed) {
  listen_.max_connections = 1;
  const auto listener = Listener::start(listen_, {}, handler_);
  RawClient first((*listener)->port());
  first.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(first.read_reply(), EndsWith("hello "));
  RawClient second((*listener)->port());
  EXPECT_EQ(second.read_reply(), "");
  first.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(first.read_reply(), EndsWith("hello "));
}

}  // namespace
}  // namespace bouquet::ivy::http
