// Each works on all tokens in place.
#include "tokenizer/decoders/simple_decoders.h"

#include <charconv>

#include "base/status.h"
#include "base/utf8.h"
#include "tokenizer/strings.h"

namespace bouquet::tokenizer {
namespace {

// The byte that "<0xE2>" names.
std::optional<char> named_byte(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with('>')) return std::nullopt;
  uint8_t byte = 0;
  const char* const end = token.data() + 5;
  const auto [parsed, error] = std::from_chars(token.data() + 3, end, byte, 16);
  return error == std::errc() && parsed == end ? std::optional(static_cast<char>(byte)) : std::nullopt;
}

void flush_bytes(std::string* bytes, std::vector<std::string>* out) {
  if (bytes->empty()) return;
  if (is_valid_utf8(*bytes)) {
    out->push_back(*bytes);
  } else {
    out->insert(out->end(), bytes->size(), "\uFFFD");
  }
  bytes->clear();
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Decoder>> MetaspaceDecoder::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const MetaspaceOptions options, MetaspaceOptions::from_json(json));
  return std::make_unique<const MetaspaceDecoder>(options);
}

void MetaspaceDecoder::decode(std::vector<std::string>* tokens) const {
  for (size_t i = 0; i < tokens->size(); ++i) {
    replace_all(replacement_, i == 0 && drops_first_ ? "" : " ", &(*tokens)[i]);
  }
}

void ByteFallbackDecoder::decode(std::vector<std::string>* tokens) const {
  std::vector<std::string> out;
  std::string bytes;
  for (std::string& token : *tokens) {
    if (const std::optional<char> byte = named_byte(token)) {
      bytes.push_back(*byte);
      continue;
    }
    flush_bytes(&bytes, &out);
    out.push_back(std::move(token));
  }
  flush_bytes(&bytes, &out);
  *tokens = std::move(out);
}

void FuseDecoder::decode(std::vector<std::string>* tokens) const {
  std::string all;
  for (const std::string& token : *tokens) all.append(token);
  tokens->assign(1, std::move(all));
}

absl::StatusOr<std::unique_ptr<const Decoder>> StripDecoder::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view content, json.text("content"));
  if (content.empty()) return json_error(json.place_of("content"), "is empty");
  ASSIGN_OR_RETURN(const int32_t start, json.number("start"));
  ASSIGN_OR_RETURN(const int32_t stop, json.number("stop"));
  return std::make_unique<const StripDecoder>(std::string(content), start, stop);
}

void StripDecoder::decode(std::vector<std::string>* tokens) const {
  for (std::string& token : *tokens) {
    std::string_view left = token;
    for (int32_t i = 0; i < start_ && left.starts_with(content_); ++i) left.remove_prefix(content_.size());
    for (int32_t i = 0; i < stop_ && left.ends_with(content_); ++i) left.remove_suffix(content_.size());
    token = std::string(left);
  }
}

void SequenceDecoder::decode(std::vector<std::string>* tokens) const {
  for (const auto& part : parts_) part->decode(tokens);
}

}  // namespace bouquet::tokenizer
