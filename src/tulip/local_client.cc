// Forwards to a Service.
#include "tulip/local_client.h"

#include "tulip/service.h"

namespace bouquet::tulip {
namespace {

class LocalClient : public Client {
 public:
  explicit LocalClient(std::shared_ptr<Service> service) : service_(std::move(service)) {}
  absl::StatusOr<ModelCard> describe() override { return service_->card(); }
  void run(Chunk chunk, CallOptions options, Done done) override {
    service_->run(std::move(chunk), std::move(options), std::move(done));
  }
  bool ready() const override { return service_->ready(); }

 private:
  std::shared_ptr<Service> service_;
};

}  // namespace

std::shared_ptr<Client> make_local_client(std::shared_ptr<Service> service) {
  return std::make_shared<LocalClient>(std::move(service));
}

}  // namespace bouquet::tulip
