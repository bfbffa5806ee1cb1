// A token's text may depend on the one before it, so both are decoded, and what is new is given.
#include "cli/generate/text_stream.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace bouquet::cli {
namespace {

constexpr size_t kContext = 8;                       // ids of the prompt: more than any character has
constexpr std::string_view kReplacement = "\uFFFD";  // what a decoder makes of an incomplete character

}  // namespace

TextStream::TextStream(const tokenizer::Tokenizer& tokenizer, const std::vector<int32_t>& prompt)
    : tokenizer_(tokenizer),
      ids_(prompt.end() - std::min(prompt.size(), kContext), prompt.end()),
      given_(ids_.size()) {}

std::string TextStream::decode(size_t begin, size_t end) const {
  return tokenizer_.decode(std::span(ids_).subspan(begin, end - begin), true);
}

std::string TextStream::add(int32_t id) {
  ids_.push_back(id);
  const std::string before = decode(context_, given_), now = decode(context_, ids_.size());
  if (now.size() <= before.size() || std::string_view(now).ends_with(kReplacement)) return "";
  context_ = given_;
  given_ = ids_.size();
  return now.substr(before.size());
}

std::string TextStream::rest() {
  const std::string before = decode(context_, given_), now = decode(context_, ids_.size());
  given_ = ids_.size();
  return now.size() > before.size() ? now.substr(before.size()) : "";
}

}  // namespace bouquet::cli
