// Lanes as queues, the bulk share as a deficit counter.
#include "tulip/scheduler.h"

#include <algorithm>

namespace bouquet::tulip {

void Scheduler::push(QueuedSequence sequence, Clock::time_point now) {
  queued_tokens_ += sequence.tokens;
  const bool bulk = sequence.lane == Lane::kBulk && options_.lanes > 1;
  if (!bulk) last_online_ = now;
  (bulk ? bulk_ : online_).push_back(std::move(sequence));
}

void Scheduler::take_head(Lane_& lane, Batch* batch) {
  batch->tokens += lane.front().tokens;
  batch->rows += lane.front().rows;
  queued_tokens_ -= lane.front().tokens;
  batch->sequences.push_back(std::move(lane.front()));
  lane.pop_front();
}

// A batch is full of tokens or of rows: bulk pays for the larger share of the two that it takes.
int64_t Scheduler::price(const QueuedSequence& sequence, int64_t budget) const {
  return std::max<int64_t>(sequence.tokens, budget * sequence.rows / options_.max_sequences);
}

bool Scheduler::fits(const Lane_& lane, int64_t budget, const Batch& batch) const {
  return batch.sequences.empty() ||
         (batch.rows + lane.front().rows <= options_.max_sequences && batch.tokens + lane.front().tokens <= budget);
}

void Scheduler::fill(Lane_& lane, int64_t budget, Batch* batch) {
  while (!lane.empty() && fits(lane, budget, *batch)) take_head(lane, batch);
}

std::vector<QueuedSequence> Scheduler::take(Clock::time_point now) {
  Batch batch;
  const bool recently_online =
      !online_.empty() || (last_online_ != Clock::time_point::min() && now - last_online_ < options_.online_memory);
  const int64_t budget = recently_online ? options_.mixed_budget : options_.bulk_budget;
  if (!online_.empty() && !bulk_.empty()) {
    const auto reserved = static_cast<int64_t>(options_.bulk_share * static_cast<double>(budget));
    bulk_credit_ = std::min(bulk_credit_ + reserved, std::max<int64_t>(budget, bulk_.front().tokens));
    while (!bulk_.empty() && price(bulk_.front(), budget) <= bulk_credit_ &&
           fits(bulk_, budget, batch)) {  // its turn, whatever waits online
      bulk_credit_ -= price(bulk_.front(), budget);
      take_head(bulk_, &batch);
    }
  } else {
    bulk_credit_ = 0;
  }
  fill(online_, std::max<int64_t>(budget, batch.tokens), &batch);
  fill(bulk_, budget, &batch);
  return std::move(batch.sequences);
}

std::vector<QueuedSequence> Scheduler::take_all() {
  Batch all;
  while (!online_.empty()) take_head(online_, &all);
  while (!bulk_.empty()) take_head(bulk_, &all);
  return std::move(all.sequences);
}

Clock::time_point Scheduler::oldest(Clock::time_point now) const {
  Clock::time_point oldest = now;
  for (const Lane_* lane : {&online_, &bulk_}) {
    if (!lane->empty()) oldest = std::min(oldest, lane->front().enqueued);
  }
  return oldest;
}

void Scheduler::set_budgets(int32_t mixed, int32_t bulk) {
  options_.mixed_budget = mixed;
  options_.bulk_budget = std::max(mixed, bulk);
}

}  // namespace bouquet::tulip
