// A client that turns every call into the protocol's bytes and back, both ways, before a service sees it: what passes
// through it would pass between processes.
#pragma once

#include <memory>

#include "tulip/codec.h"
#include "tulip/service.h"

namespace bouquet {

class SerializingClient : public tulip::Client {
 public:
  explicit SerializingClient(std::shared_ptr<tulip::Service> service) : service_(std::move(service)) {}

  absl::StatusOr<tulip::ModelCard> describe() override { return tulip::parse_card(tulip::serialize(service_->card())); }

  void run(tulip::Chunk chunk, tulip::CallOptions options, tulip::Done done) override {
    absl::StatusOr<tulip::Chunk> parsed = tulip::parse_chunk(tulip::serialize(chunk));
    if (!parsed.ok()) return done(parsed.status());
    service_->run(*std::move(parsed), std::move(options), [done = std::move(done)](absl::StatusOr<tulip::Reply> reply) {
      if (!reply.ok()) return done(std::move(reply));
      done(tulip::parse_reply(tulip::serialize(*reply)));
    });
  }

  bool ready() const override { return service_->ready(); }

 private:
  std::shared_ptr<tulip::Service> service_;
};

}  // namespace bouquet
