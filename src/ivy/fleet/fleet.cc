// A flight is a chunk on its way: one attempt after another, or two at once, until one of them decides it.
#include "ivy/fleet/fleet.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ivy/meters.h"

namespace bouquet::ivy {
namespace {

constexpr double kHedgeBurst = 5;
constexpr std::chrono::milliseconds kSoonestHedge{2};

using Outcome = Balancer::Outcome;

absl::Status different(std::string_view what) {
  return absl::FailedPreconditionError(
      absl::StrCat("the replicas are not of one kind: they differ in ", std::string(what)));
}

absl::Status check_alike(const tulip::ModelCard& a, const tulip::ModelCard& b) {
  if (a.protocol != b.protocol) return different("protocol");
  if (a.weights_fingerprint != b.weights_fingerprint) return different("weights");
  if (a.tokenizer_fingerprint != b.tokenizer_fingerprint) return different("tokenizer");
  if (a.dimensions != b.dimensions || a.labels != b.labels) return different("outputs");
  if (a.max_tokens != b.max_tokens) return different("longest sequence");
  if (a.dtype != b.dtype) return different("dtype");
  if (a.isa_level != b.isa_level) return different("instruction set level");
  return absl::OkStatus();
}

// What the end of an attempt tells of the replica. That the caller's time is up or that it left tells nothing; a bad
// chunk would be one everywhere.
Outcome outcome_of(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
    case absl::StatusCode::kInvalidArgument:
      return Outcome::kAnswered;
    case absl::StatusCode::kResourceExhausted:
      return Outcome::kRefused;
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kCancelled:
      return Outcome::kCancelled;
    default:
      return Outcome::kFailed;
  }
}

// Another replica may do better.
bool is_worth_another(const absl::Status& status) {
  const Outcome outcome = outcome_of(status);
  return outcome == Outcome::kRefused || outcome == Outcome::kFailed;
}

// Whatever a replica or something between says that is not meant for callers, it is not their fault.
absl::Status for_callers(const absl::Status& status) {
  if (outcome_of(status) != Outcome::kFailed || absl::IsInternal(status) || absl::IsUnavailable(status)) return status;
  return absl::UnavailableError(absl::StrCat("a replica did not serve this request: ", std::string(status.message())));
}

// Of two failures the one to tell: that a replica was full, for then it is worth coming back, and the sooner hint.
absl::Status worth_telling(const absl::Status& a, const absl::Status& b) {
  if (a.ok()) return b;
  if (!absl::IsResourceExhausted(a)) return b;
  if (!absl::IsResourceExhausted(b)) return a;
  return tulip::retry_after(b) < tulip::retry_after(a) ? b : a;
}

}  // namespace

struct Fleet::Flight {
  explicit Flight(Errand its_errand) : errand(std::move(its_errand)) {}

  const Errand errand;
  std::stop_source stop;  // the caller's wish, or that an attempt decided
  std::optional<std::stop_callback<std::function<void()>>> caller_left;
  std::mutex mutex;  // guards what follows
  std::vector<std::shared_ptr<tulip::Client>> tried;
  size_t open = 0;  // attempts under way
  bool decided = false;
  absl::Status failure;  // the one to tell, when there is no other attempt left
};

Fleet::Fleet(FleetOptions options) : Fleet(options, std::make_unique<Balancer>(options.balance)) {}

Fleet::Fleet(FleetOptions options, std::unique_ptr<Balancer> balancer)
    : options_(std::move(options)),
      balancer_(std::move(balancer)),
      retries_(options_.retry_share, options_.retry_burst),
      hedges_(options_.hedge_share, kHedgeBurst) {
  meters();
  if (options_.hedge_share > 0) hedging_ = std::thread([this] { watch_for_slow_ones(); });
}

Fleet::~Fleet() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (hedging_.joinable()) hedging_.join();  // before the wait: it may still send something
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return under_way_ == 0; });
  for (const auto& replica : replicas_) meters().replicas.Decrement(replica ? 1 : 0);
}

absl::Status Fleet::check(const tulip::ModelCard& card) const {
  if (card.tokenizer_fingerprint != 0 && options_.tokenizer_fingerprint != 0 &&
      card.tokenizer_fingerprint != options_.tokenizer_fingerprint) {
    return absl::FailedPreconditionError("the replica's model was made for another tokenizer than the gateway's");
  }
  return card_ ? check_alike(*card_, card) : absl::OkStatus();
}

absl::StatusOr<Fleet::Place> Fleet::join(std::shared_ptr<tulip::Client> client) {
  ASSIGN_OR_RETURN(tulip::ModelCard card, client->describe());
  std::lock_guard lock(mutex_);
  RETURN_IF_ERROR(check(card));
  const Place place = balancer_->add(options_.now());
  if (!card_) card_ = std::move(card);
  replicas_.resize(std::max(replicas_.size(), place + 1));
  replicas_[place] = std::move(client);
  ++members_;
  meters().replicas.Increment();
  return place;
}

void Fleet::leave(Place place) {
  std::shared_ptr<tulip::Client> gone;  // ended outside the lock
  std::lock_guard lock(mutex_);
  balancer_->remove(place);
  gone = std::move(replicas_[place]);
  --members_;
  meters().replicas.Decrement();
}

std::optional<tulip::ModelCard> Fleet::card() const {
  std::lock_guard lock(mutex_);
  return card_;
}

bool Fleet::ready() const {
  std::lock_guard lock(mutex_);
  return std::any_of(replicas_.begin(), replicas_.end(),
                     [](const auto& replica) { return replica && replica->ready(); });
}

size_t Fleet::size() const {
  std::lock_guard lock(mutex_);
  return members_;
}

void Fleet::run(Errand errand) {
  if (options_.now() >= errand.options.deadline) {
    return errand.done(absl::DeadlineExceededError("the deadline passed before the work was begun"));
  }
  const auto flight = std::make_shared<Flight>(std::move(errand));
  if (flight->errand.options.cancelled.stop_possible()) {
    flight->caller_left.emplace(flight->errand.options.cancelled,
                                [stop = flight->stop]() mutable { stop.request_stop(); });
  }
  {
    std::lock_guard lock(mutex_);
    retries_.first_attempt();
    if (flight->errand.lane == tulip::Lane::kOnline) hedges_.first_attempt();
  }
  if (!attempt(flight, nullptr)) {
    return flight->errand.done(absl::UnavailableError("no replica is ready to serve this request"));
  }
  if (options_.hedge_share > 0 && flight->errand.lane == tulip::Lane::kOnline) hedge_later(flight);
}

// Whether the replica at `place` may be asked. Under mutex_ and the flight's, like the next.
bool Fleet::may_go(const Flight& flight, Place place) const {
  const std::shared_ptr<tulip::Client>& client = replicas_[place];
  return client && client->ready() && std::find(flight.tried.begin(), flight.tried.end(), client) == flight.tried.end();
}

bool Fleet::has_another(const Flight& flight) const {
  for (Place place = 0; place < replicas_.size(); ++place) {
    if (may_go(flight, place)) return true;
  }
  return false;
}

// Sends the chunk to a replica that has not been asked yet, at the expense of `budget` where there is one. False when
// there is no such replica, or nothing left of the budget.
bool Fleet::attempt(const std::shared_ptr<Flight>& flight, Budget* budget) {
  std::shared_ptr<tulip::Client> client;
  Place place = 0;
  {
    std::scoped_lock lock(flight->mutex, mutex_);
    if (budget != nullptr && (!has_another(*flight) || !budget->take())) return false;
    const std::optional<Place> picked =
        balancer_->pick(flight->errand.tokens, options_.now(), [&](Place at) { return may_go(*flight, at); });
    if (!picked) return false;
    place = *picked;
    client = replicas_[place];
    flight->tried.push_back(client);
    ++flight->open;
    ++under_way_;
  }
  client->run(flight->errand.chunk(), {flight->errand.options.deadline, flight->stop.get_token()},
              [this, flight, place, sent = options_.now()](absl::StatusOr<tulip::Reply> reply) {
                ended(flight, place, sent, std::move(reply));
              });
  return true;
}

// What an attempt's end tells of its replica.
void Fleet::note(const Flight& flight, Place place, Clock::time_point sent, const absl::StatusOr<tulip::Reply>& reply) {
  const auto now = options_.now();
  std::lock_guard lock(mutex_);
  balancer_->finished(place, flight.errand.tokens,
                      {.outcome = outcome_of(reply.status()),
                       .load = reply.ok() ? std::optional(reply->load) : std::nullopt,
                       .retry_after = tulip::retry_after(reply.status())},
                      now);
  if (reply.ok() && flight.errand.lane == tulip::Lane::kOnline) {
    online_seconds_.add(std::chrono::duration<double>(now - sent).count());
  }
}

void Fleet::ended(const std::shared_ptr<Flight>& flight, Place place, Clock::time_point sent,
                  absl::StatusOr<tulip::Reply> reply) {
  if (absl::IsCancelled(reply.status()) && !flight->stop.stop_requested()) {
    reply = absl::UnavailableError("the call to a replica was cut off");  // not by us
  }
  note(*flight, place, sent, reply);
  const bool wanted = !flight->stop.stop_requested() && options_.now() < flight->errand.options.deadline;
  const bool another = wanted && is_worth_another(reply.status()) && attempt(flight, &retries_);
  if (another) meters().retries.Increment();
  bool decides = false;
  {
    std::lock_guard lock(flight->mutex);
    --flight->open;
    if (!reply.ok()) flight->failure = worth_telling(flight->failure, reply.status());
    decides = !flight->decided && (flight->open == 0 || !is_worth_another(reply.status()));
    flight->decided |= decides;
  }
  if (decides) {
    flight->stop.request_stop();  // whoever else is still at it
    flight->caller_left.reset();
    if (is_worth_another(reply.status())) reply = for_callers(flight->failure);
    flight->errand.done(std::move(reply));
  }
  std::lock_guard lock(mutex_);
  if (--under_way_ == 0) changed_.notify_all();
}

void Fleet::hedge_later(const std::shared_ptr<Flight>& flight) {
  std::lock_guard lock(mutex_);
  const std::optional<double> usual = online_seconds_.value();
  if (!usual || replicas_.size() < 2) return;
  const auto wait = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*usual));
  slow_ones_.push({Clock::now() + std::max<Clock::duration>(wait, kSoonestHedge), flight});
  changed_.notify_all();
}

// The hedging thread.
void Fleet::watch_for_slow_ones() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (slow_ones_.empty()) {
      changed_.wait(lock);
    } else if (const Clock::time_point at = slow_ones_.top().at; Clock::now() < at) {
      changed_.wait_until(lock, at);
    } else {
      std::shared_ptr<Flight> flight = slow_ones_.top().flight.lock();
      slow_ones_.pop();
      lock.unlock();
      if (flight) hedge(std::move(flight));
      lock.lock();
    }
  }
}

// Asks a second replica, where the first has not answered yet.
void Fleet::hedge(std::shared_ptr<Flight> flight) {
  {
    std::lock_guard lock(flight->mutex);
    if (flight->decided || flight->open != 1 || flight->stop.stop_requested()) return;
  }
  if (attempt(flight, &hedges_)) meters().hedges.Increment();
}

}  // namespace bouquet::ivy
