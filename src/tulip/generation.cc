// Admission by blocks, one step's tokens shared out oldest first, and what became of it.
#include "tulip/generation.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "fmt/format.h"

namespace bouquet::tulip {

Generation::Generation(const GenerationLimits& limits, std::vector<int32_t> stop_ids)
    : limits_(limits), stop_ids_(std::move(stop_ids)), free_blocks_(static_cast<size_t>(limits.cache_blocks)) {
  assert(limits.sequences >= 1 && limits.sequences <= limits.step_tokens);
  std::iota(free_blocks_.rbegin(), free_blocks_.rend(), 0);  // block 0 is taken first
}

// The last word is never run, so it needs no place.
int32_t Generation::blocks_for(const Prompt& prompt) {
  const int64_t tokens = static_cast<int64_t>(prompt.ids.size()) + prompt.most_words - 1;
  return static_cast<int32_t>((tokens + rose::kBlockTokens - 1) / rose::kBlockTokens);
}

int32_t Generation::room_behind(size_t tokens) const {
  const int64_t blocks = std::min(limits_.table_width, limits_.cache_blocks);
  const int64_t places = std::min<int64_t>(blocks * rose::kBlockTokens + 1, limits_.max_tokens);
  return static_cast<int32_t>(std::max<int64_t>(places - static_cast<int64_t>(tokens), 0));
}

absl::Status Generation::add(Prompt prompt) {
  if (prompt.ids.empty()) return absl::InvalidArgumentError("the prompt has no tokens");
  if (prompt.most_words < 1) return absl::InvalidArgumentError("no words are wanted");
  if (prompt.most_words > room_behind(prompt.ids.size())) {
    return absl::ResourceExhaustedError(fmt::format("behind {} tokens there is no room for {} words, only for {}",
                                                    prompt.ids.size(), prompt.most_words,
                                                    room_behind(prompt.ids.size())));
  }
  waiting_.emplace_back(added_++, std::move(prompt));
  return absl::OkStatus();
}

void Generation::start_newcomers() {
  while (!waiting_.empty() && running() < limits_.sequences) {
    auto& [index, prompt] = waiting_.front();
    const int32_t blocks = blocks_for(prompt);
    if (blocks > free_blocks()) return;
    Sequence sequence{.prompt = index, .ids = std::move(prompt.ids), .left = prompt.most_words, .blocks = {}};
    sequence.blocks.assign(free_blocks_.rbegin(), free_blocks_.rbegin() + blocks);
    free_blocks_.resize(free_blocks_.size() - static_cast<size_t>(blocks));
    running_.push_back(std::move(sequence));
    waiting_.pop_front();
  }
}

// A token for each, and what is left of the step for prompts, oldest first.
void Generation::share_out_tokens() {
  int32_t spare = limits_.step_tokens - running();
  for (Sequence& sequence : running_) {
    const int32_t waiting = static_cast<int32_t>(sequence.ids.size()) - sequence.past;
    sequence.taken = 1 + std::min(spare, waiting - 1);
    spare -= sequence.taken - 1;
  }
}

std::optional<rose::Batch> Generation::next() {
  start_newcomers();
  if (running_.empty()) return std::nullopt;
  share_out_tokens();
  ids_.clear();
  past_.clear();
  cu_seqlens_.assign(1, 0);
  tables_.assign(running_.size() * static_cast<size_t>(limits_.table_width), 0);
  specs_.assign(running_.size(), {.output = rose::Output::kNextWord});
  for (size_t i = 0; i < running_.size(); ++i) {
    const Sequence& sequence = running_[i];
    const auto first = sequence.ids.begin() + sequence.past;
    ids_.insert(ids_.end(), first, first + sequence.taken);
    cu_seqlens_.push_back(static_cast<int32_t>(ids_.size()));
    past_.push_back(sequence.past);
    std::copy(sequence.blocks.begin(), sequence.blocks.end(), tables_.begin() + i * limits_.table_width);
  }
  return rose::Batch{ids_, cu_seqlens_, {}, specs_, past_, tables_};
}

void Generation::release(Sequence& sequence) {
  free_blocks_.insert(free_blocks_.end(), sequence.blocks.rbegin(), sequence.blocks.rend());
  sequence.blocks.clear();
}

std::vector<Generated> Generation::advance(std::span<const int32_t> words) {
  assert(words.size() == running_.size());
  std::vector<Generated> generated;
  for (size_t i = 0; i < running_.size(); ++i) {
    Sequence& sequence = running_[i];
    sequence.past += sequence.taken;
    if (sequence.past < static_cast<int32_t>(sequence.ids.size())) continue;
    const int32_t word = words[i];
    const bool last = --sequence.left == 0 || std::find(stop_ids_.begin(), stop_ids_.end(), word) != stop_ids_.end();
    generated.push_back({sequence.prompt, i, word, last});
    sequence.ids.push_back(word);
    if (last) release(sequence);
  }
  std::erase_if(running_, [](const Sequence& sequence) { return sequence.blocks.empty(); });
  return generated;
}

}  // namespace bouquet::tulip
