// Which tokens a language model's next step takes: continuous batching (Yu et al. 2022, "Orca") over a cache in blocks
// (Kwon et al. 2023). A plain state machine: no thread, no clock, no model.
//
// First come, first served. Every running sequence takes part in every step, with the word it got last or with a part
// of its prompt; a newcomer starts as soon as a slot and blocks for all that it may become are free, so none ever waits
// half-done for memory.
//
//   while (std::optional<rose::Batch> batch = generation.next()) {
//     LazyTensor logits = engine->step(*batch);
//     RETURN_IF_ERROR(logits.wait());
//     for (const Generated& word : generation.advance(greedy words, one a sequence of the batch)) use(word);
//   }
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "rose/engine.h"

namespace bouquet::tulip {

struct GenerationLimits {
  int32_t cache_blocks = 0;  // of rose::kBlockTokens tokens
  int32_t table_width = 0;   // most blocks of a sequence
  int32_t max_tokens = 0;    // most tokens of a sequence, its words included
  int32_t sequences = 1;     // in a step; at most step_tokens
  int32_t step_tokens = 1;
};

struct Prompt {
  std::vector<int32_t> ids;  // at least 1
  int32_t most_words = 0;    // to generate, at least 1
};

struct Generated {
  size_t prompt;    // index, in the order of add()
  size_t sequence;  // index in the batch that it came of
  int32_t id;
  bool last;  // nothing follows
};

class Generation {
 public:
  // After any of `stop_ids` a sequence is complete.
  Generation(const GenerationLimits& limits, std::vector<int32_t> stop_ids);

  // Words that can follow a prompt of so many tokens; 0 or less: none.
  int32_t room_behind(size_t tokens) const;
  // INVALID_ARGUMENT where it is empty; RESOURCE_EXHAUSTED where there is no room for all the words.
  absl::Status add(Prompt prompt);

  // The next step; its views are valid until advance(). None when every prompt is done.
  std::optional<rose::Batch> next();
  // `words`: what follows each sequence of the batch that next() gave. Those in the middle of their prompts generate
  // nothing yet.
  std::vector<Generated> advance(std::span<const int32_t> words);

  int32_t running() const { return static_cast<int32_t>(running_.size()); }
  int32_t free_blocks() const { return static_cast<int32_t>(free_blocks_.size()); }

 private:
  struct Sequence {
    size_t prompt;
    std::vector<int32_t> ids;     // prompt and words
    int32_t left;                 // words still to generate
    int32_t past = 0;             // tokens in the cache
    int32_t taken = 0;            // tokens of the current step
    std::vector<int32_t> blocks;  // of its own
  };
  static int32_t blocks_for(const Prompt& prompt);
  void start_newcomers();
  void share_out_tokens();
  void release(Sequence& sequence);

  const GenerationLimits limits_;
  const std::vector<int32_t> stop_ids_;
  std::deque<std::pair<size_t, Prompt>> waiting_;
  size_t added_ = 0;
  std::vector<Sequence> running_;  // oldest first
  std::vector<int32_t> free_blocks_;
  std::vector<int32_t> ids_, cu_seqlens_, past_, tables_;  // of the current step
  std::vector<rose::RowSpec> specs_;
};

}  // namespace bouquet::tulip
