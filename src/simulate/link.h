// The way from a gateway to a replica and back, as a tulip::Client on a virtual clock: each direction takes half a hop.
// When the replica crashes, what is under way fails: at once, or when it is noticed that the machine is gone.
#pragma once

#include "simulate/event_loop.h"
#include "simulate/replica.h"
#include "tulip/client.h"

namespace bouquet::simulate {

class Link : public tulip::Client {
 public:
  // Both must outlive every call, but the link need not.
  Link(EventLoop& loop, Replica& replica, const Cost& cost)
      : loop_(loop), replica_(replica), one_way_(to_duration(cost.hop_ms * 1e-3 / 2)) {}

  absl::StatusOr<tulip::ModelCard> describe() override;
  void run(tulip::Chunk chunk, tulip::CallOptions options, tulip::Done done) override;
  bool ready() const override { return replica_.is_up() || loop_.now() < replica_.noticed(); }

 private:
  EventLoop& loop_;
  Replica& replica_;
  const Clock::duration one_way_;
};

}  // namespace bouquet::simulate
