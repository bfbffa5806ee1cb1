// Two pairs of buffers that change places at each commit.
#include "tokenizer/normalized_text.h"

#include <algorithm>
#include <utility>

namespace bouquet::tokenizer {

char* NormalizedText::begin_in_place() {
  if (next_bytes_.size() < view_.size()) next_bytes_.resize(view_.size());
  return next_bytes_.data();
}

void NormalizedText::commit_in_place() {
  next_bytes_.resize(view_.size());
  std::swap(bytes_, next_bytes_);
  view_ = bytes_;
}

void NormalizedText::begin_stage(size_t kept) {
  next_bytes_.resize(kept);
  if (!tracked_) return;
  next_origins_.resize(kept);
  for (size_t i = 0; i < kept; ++i) next_origins_[i] = origin(i);
}

void NormalizedText::put(char32_t code, uint32_t origin) {
  char bytes[4];
  put(std::string_view(bytes, utf8_write(code, bytes)), origin);
}

void NormalizedText::put(std::string_view text, uint32_t origin) {
  next_bytes_.append(text);
  if (!tracked_) return;
  next_origins_.insert(next_origins_.end(), text.size(), origin);
}

char* NormalizedText::put_run(size_t at, size_t count) {
  const size_t before = next_bytes_.size();
  next_bytes_.resize(before + count);
  if (!tracked_) return next_bytes_.data() + before;
  next_origins_.resize(before + count);
  for (size_t i = 0; i < count; ++i) {
    const bool goes_on = identity_ && (static_cast<unsigned char>(view_[at + i]) & 0xC0) == 0x80;
    next_origins_[before + i] = goes_on ? next_origins_[before + i - 1] : origin(at + i);
  }
  return next_bytes_.data() + before;
}

void NormalizedText::transform(const std::vector<CharChange>& changes) {
  const std::string_view in = view_;
  size_t at = 0;
  const auto skip = [&] { at += at < in.size() ? utf8_length(in[at]) : 0; };
  begin_stage();
  for (const auto& [code, change] : changes) {
    const bool beside = at == in.size() || (change > 0 && at > 0);
    put(code, origin(beside ? utf8_previous(in, at) : at));
    for (int32_t n = change; n <= 0; ++n) skip();
  }
  commit();
}

void NormalizedText::commit() {
  std::swap(bytes_, next_bytes_);
  std::swap(origins_, next_origins_);
  view_ = bytes_;
  identity_ = false;
}

}  // namespace bouquet::tokenizer
