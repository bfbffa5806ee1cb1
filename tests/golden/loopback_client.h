// A client whose calls go over gRPC and a unix socket to a server in the same process, and back.
#pragma once

#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "tulip/rpc/client.h"
#include "tulip/rpc/server.h"

namespace bouquet {

class LoopbackClient : public tulip::Client {
 public:
  explicit LoopbackClient(std::shared_ptr<tulip::Service> service) {
    static std::atomic<int> count{0};
    const std::string address = "unix:" + (std::filesystem::temp_directory_path() / "bouquet-").string() +
                                std::to_string(getpid()) + "-" + std::to_string(count++);
    server_ = *tulip::RpcServer::start({.listen = {address}, .leave_time = {}}, std::move(service));
    client_ = *tulip::make_rpc_client(address, {});
    while (!client_->ready()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }

  absl::StatusOr<tulip::ModelCard> describe() override { return client_->describe(); }
  void run(tulip::Chunk chunk, tulip::CallOptions options, tulip::Done done) override {
    client_->run(std::move(chunk), std::move(options), std::move(done));
  }
  bool ready() const override { return client_->ready(); }

 private:
  std::unique_ptr<tulip::RpcServer> server_;
  std::shared_ptr<tulip::Client> client_;
};

}  // namespace bouquet
