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
  next_origins_.resize(kept);
  for (size_t i = 0; i < kept; ++i) next_origins_[i] = origin(i);
}

void NormalizedText::put(char32_t code, uint32_t origin) {
  char bytes[4];
  put(std::string_view(bytes, utf8_write(code, bytes)), origin);
}

void NormalizedText::put(std::string_view text, uint32_t origin) {
  next_bytes_.append(text);
  next_origins_.insert(next_origins_.end(), text.size(), origin);
}

char* NormalizedText::put_run(size_t at, size_t count) {
  const size_t before = next_bytes_.size();
  next_bytes_.resize(before + count);
  next_origins_.resize(before + count);
  for (size_t i = 0; i < count; ++i) {
    const bool goes_on = identity_ && (static_cast<unsigned char>(view_[at + i]) & 0xC0) == 0x80;
    next_origins_[before + i] = goes_on ? next_origins_[before + i - 1] : origin(at + i);
  }
  return next_bytes_.data() + before;
}

void NormalizedText::put_change(CharChange change, size_t* at) {
  const bool beside = *at == view_.size() || (change.change > 0 && *at > 0);
  put(change.code, origin(beside ? utf8_previous(view_, *at) : *at));
  for (int32_t n = change.change; n <= 0 && *at < view_.size(); ++n) *at += utf8_length(view_[*at]);
}

void NormalizedText::transform(const std::vector<CharChange>& changes) {
  size_t at = 0;
  begin_stage();
  for (const CharChange& change : changes) put_change(change, &at);
  commit();
}

void NormalizedText::commit() {
  std::swap(bytes_, next_bytes_);
  std::swap(origins_, next_origins_);
  view_ = bytes_;
  identity_ = false;
}

}  // namespace bouquet::tokenizer
