// Offsets of the inputs, and the batch laid out in them.
#include "rose/step_slot.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <numeric>

#include "base/status.h"

namespace bouquet::rose {

StepInputs::StepInputs(void* base, const StepSizes& sizes)
    : live(static_cast<Live*>(base)),
      counts(reinterpret_cast<int32_t*>(live + 1)),
      cu_seqlens(counts + kMostHeads),
      key_counts(cu_seqlens + sizes.max_sequences + 1),
      past(key_counts + sizes.max_sequences),
      tables(past + sizes.max_sequences) {
  auto* next = reinterpret_cast<RowPlan*>(tables + int64_t{sizes.max_sequences} * sizes.table_width);
  plans.fill(nullptr);
  for (size_t head = 0; head < sizes.heads.size(); ++head) {
    plans[head] = next;
    next += sizes.heads[head].capacity;
  }
  ids = reinterpret_cast<int32_t*>(next);
  token_types = ids + sizes.max_tokens;
  positions = token_types + sizes.max_tokens;
}

size_t StepSizes::input_bytes() const {
  size_t plans = 0;
  for (const HeadSpace& head : heads) plans += static_cast<size_t>(head.capacity);
  const size_t tokens = static_cast<size_t>(max_tokens), sequences = static_cast<size_t>(max_sequences);
  return sizeof(Live) + plans * sizeof(RowPlan) +
         (kMostHeads + sequences + 1 + (2 + static_cast<size_t>(table_width)) * sequences + 3 * tokens) *
             sizeof(int32_t);
}

size_t StepSizes::output_values() const {
  const HeadSpace& last = heads.back();
  return static_cast<size_t>(last.first + last.capacity * last.width);
}

size_t StepSizes::head_of(Output output) const {
  if (output == Output::kDefault) return 0;
  const auto found =
      std::find_if(heads.begin(), heads.end(), [&](const HeadSpace& head) { return head.output == output; });
  assert(found != heads.end());
  return static_cast<size_t>(found - heads.begin());
}

absl::StatusOr<std::unique_ptr<StepSlot>> StepSlot::create(Device& device, const StepSizes& sizes) {
  auto slot = std::make_unique<StepSlot>();
  ASSIGN_OR_RETURN(slot->input, device.allocate_host(sizes.input_bytes()));
  ASSIGN_OR_RETURN(slot->output, device.allocate_host(sizes.output_values() * sizeof(float)));
  slot->event = device.create_event();
  return slot;
}

// The plans of one sequence's rows, and where its values will be. The sequence is tokens [begin, end).
void StepSlot::add_rows(const RowSpec& spec, int32_t begin, int32_t end, const StepSizes& sizes, StepInputs& inputs) {
  const size_t at = sizes.head_of(spec.output);
  const HeadSpace& head = sizes.heads[at];
  int32_t& count = inputs.counts[at];
  const int32_t first = count, dimensions = spec.dimensions > 0 ? spec.dimensions : head.width;
  const auto add = [&](int32_t from, int32_t to) {
    assert(count < head.capacity && from < to && to <= end);
    inputs.plans[at][count++] = {from, to, dimensions, spec.normalize ? 1 : 0};
  };
  if (is_per_token(head.output)) {
    for (int32_t token = begin; token < end; ++token) add(token, token + 1);
  } else if (spec.spans.empty()) {
    add(begin, end);
  } else {
    for (size_t i = 0; i + 1 < spec.spans.size(); i += 2) add(begin + spec.spans[i], begin + spec.spans[i + 1]);
  }
  const auto* results = static_cast<const float*>(output->data());
  values.push_back({results + head.first + int64_t{first} * head.width, size_t(count - first) * size_t(head.width)});
}

void StepSlot::fill(const Batch& batch, const StepSizes& sizes) {
  const auto tokens = static_cast<int32_t>(batch.ids.size()), sequences = static_cast<int32_t>(batch.specs.size());
  assert(tokens <= sizes.max_tokens && sequences <= sizes.max_sequences && sequences > 0);
  assert(batch.cu_seqlens.size() == batch.specs.size() + 1);
  StepInputs inputs(input->data(), sizes);
  *inputs.live = {tokens, sequences, 0};
  std::fill_n(inputs.counts, kMostHeads, 0);
  values.clear();
  for (int32_t s = 0; s < sequences; ++s) {
    const int32_t begin = batch.cu_seqlens[s], end = batch.cu_seqlens[s + 1];
    inputs.live->longest = std::max(inputs.live->longest, end - begin);
    inputs.past[s] = batch.past.empty() ? 0 : batch.past[s];
    std::iota(inputs.positions + begin, inputs.positions + end, inputs.past[s]);
    inputs.key_counts[s] = batch.specs[s].keys > 0 ? batch.specs[s].keys : end - begin;
    add_rows(batch.specs[s], begin, end, sizes, inputs);
  }
  std::copy(batch.cu_seqlens.begin(), batch.cu_seqlens.end(), inputs.cu_seqlens);
  assert(batch.tables.size() == batch.specs.size() * static_cast<size_t>(sizes.table_width));
  std::copy(batch.tables.begin(), batch.tables.end(), inputs.tables);
  std::copy(batch.ids.begin(), batch.ids.end(), inputs.ids);
  if (batch.token_types.empty()) {
    std::fill_n(inputs.token_types, tokens, 0);
  } else {
    std::copy(batch.token_types.begin(), batch.token_types.end(), inputs.token_types);
  }
}

LazyTensor::LazyTensor(std::shared_ptr<StepSlot> slot) : slot_(std::move(slot)) {}

bool LazyTensor::ready() const { return slot_->event->ready(); }
absl::Status LazyTensor::wait() const { return slot_->event->wait(); }
int32_t LazyTensor::sequences() const { return static_cast<int32_t>(slot_->values.size()); }
std::span<const float> LazyTensor::values(int32_t sequence) const { return slot_->values[sequence]; }

}  // namespace bouquet::rose
