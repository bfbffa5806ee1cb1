// Delays, and the failures of a replica that is gone.
#include "simulate/link.h"

#include <algorithm>
#include <utility>

namespace bouquet::simulate {

absl::StatusOr<tulip::ModelCard> Link::describe() {
  tulip::ModelCard card;
  card.name = "simulated";
  card.dimensions = 1;
  card.outputs = {tulip::Output::kEmbedding};
  return card;
}

void Link::run(tulip::Chunk chunk, tulip::CallOptions options, tulip::Done done) {
  tulip::Done answer = [&loop = loop_, &replica = replica_, one_way = one_way_,
                        done = std::move(done)](absl::StatusOr<tulip::Reply> reply) {
    const Clock::duration unnoticed = replica.is_up() ? Clock::duration(0) : replica.noticed() - loop.now();
    loop.after(std::max(one_way, unnoticed), [done, reply = std::move(reply)]() mutable { done(std::move(reply)); });
  };
  loop_.after(one_way_, [&replica = replica_, chunk = std::move(chunk), options = std::move(options),
                         answer = std::move(answer)]() mutable {
    if (!replica.is_up()) return answer(absl::UnavailableError("nobody answers there"));
    replica.run(std::move(chunk), std::move(options), std::move(answer));
  });
}

}  // namespace bouquet::simulate
