// The host side of one step: what is copied to the device, what comes back, and where each sequence's values lie in it.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "rose/engine.h"

namespace bouquet::rose {

inline constexpr size_t kMostHeads = 6;

// One head's share of a step.
struct HeadSpace {
  Output output;
  int32_t width;     // values a row
  int64_t capacity;  // rows
  int64_t first;     // value of the results where its rows begin
};

struct StepSizes {
  int32_t max_tokens = 0;
  int32_t max_sequences = 0;
  int32_t table_width = 0;       // most blocks of pages of a sequence; 0: there are no pages
  std::vector<HeadSpace> heads;  // at most kMostHeads

  size_t input_bytes() const;
  size_t output_values() const;
  size_t head_of(Output output) const;  // its index
};

// A step's inputs, wherever they lie: in a slot, or at the same offsets in device memory. What is as long as the batch
// is copied as far as it is filled.
struct StepInputs {
  StepInputs(void* base, const StepSizes& sizes);
  Live* live;
  int32_t* counts;                         // [heads] rows
  int32_t* cu_seqlens;                     // [max_sequences + 1]
  int32_t* key_counts;                     // [max_sequences]
  int32_t* past;                           // [max_sequences]
  int32_t* tables;                         // [max_sequences][table_width]
  std::array<RowPlan*, kMostHeads> plans;  // by head, [capacity]
  int32_t* ids;                            // [max_tokens], like those below
  int32_t* token_types;
  int32_t* positions;
};

class StepSlot {
 public:
  static absl::StatusOr<std::unique_ptr<StepSlot>> create(Device& device, const StepSizes& sizes);
  // Lays the batch out as inputs.
  void fill(const Batch& batch, const StepSizes& sizes);

  std::unique_ptr<Buffer> input;               // see StepInputs
  std::unique_ptr<Buffer> output;              // every head's rows
  std::unique_ptr<Event> event;                // after the copy to `output`
  std::vector<std::span<const float>> values;  // [sequences] in `output`

 private:
  void add_rows(const RowSpec& spec, int32_t begin, int32_t end, const StepSizes& sizes, StepInputs& inputs);
};

}  // namespace bouquet::rose
