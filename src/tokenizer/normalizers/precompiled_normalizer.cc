// Runs of plain ASCII are copied; the rest goes through the map, and the changes through `tokenizers`' own accounting.
#include "tokenizer/normalizers/precompiled_normalizer.h"

#include "absl/strings/escaping.h"
#include "base/status.h"
#include "tokenizer/strings.h"
#include "tokenizer/unicode/graphemes.h"

namespace bouquet::tokenizer {
namespace {

constexpr size_t kLongestWhole = 5;  // bytes of a cluster that is looked up as a whole

size_t count_chars(std::string_view text) {
  size_t count = 0;
  for (const char byte : text) count += (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
  return count;
}

// `changes` for the characters of `text`, which become `replacement`. Fewer: the last one takes the rest along, and
// where there is none, the one before.
void replace(std::string_view text, std::string_view replacement, std::vector<CharChange>* changes) {
  const auto more = static_cast<int64_t>(count_chars(replacement)) - static_cast<int64_t>(count_chars(text));
  for (size_t at = 0; at < replacement.size();) {
    const Utf8Char here = utf8_at(replacement, at);
    changes->push_back({here.code, 0});
    at += here.length;
  }
  for (int64_t i = 0; i < more; ++i) (*changes)[changes->size() - 1 - static_cast<size_t>(i)].change = 1;
  if (more < 0 && !changes->empty()) changes->back().change += static_cast<int32_t>(more);
}

// One change a character of `text`, which stays as it is.
void keep(std::string_view text, std::vector<CharChange>* changes) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Char here = utf8_at(text, at);
    changes->push_back({here.code, 0});
    at += here.length;
  }
}

}  // namespace

PrecompiledNormalizer::PrecompiledNormalizer(Charsmap map) : map_(std::move(map)) {
  for (char32_t code = 1; code < kPlainEnd; ++code) {
    // Of ASCII's control characters only CR may be part of a cluster.
    const bool apart = code < 0x80 ? code != '\r' && code != 0x7F : stands_apart(code);
    plain_[code] = apart && !map_.find(utf8_of(code));
  }
}

absl::StatusOr<std::unique_ptr<const Normalizer>> PrecompiledNormalizer::make(const JsonObject& json) {
  ASSIGN_OR_RETURN(const std::string_view encoded, json.text("precompiled_charsmap"));
  const std::string place = json.place_of("precompiled_charsmap");
  std::string bytes;
  if (!absl::Base64Unescape(absl::string_view(encoded.data(), encoded.size()), &bytes)) {
    return json_error(place, "is not base64");
  }
  absl::StatusOr<Charsmap> map = Charsmap::parse(bytes);
  if (!map.ok()) return json_error(place, std::string(map.status().message()));
  return std::make_unique<const PrecompiledNormalizer>(*std::move(map));
}

// Bytes from `at` on that stay as they are: plain characters, but for one before a character that may join it.
size_t PrecompiledNormalizer::plain_run(std::string_view in, size_t at) const {
  size_t end = at, last = at;
  while (end < in.size()) {
    const Utf8Char here = utf8_at(in, end);
    if (!is_plain(here.code)) {
      const bool may_join = end > at && here.code >= 0x80;
      return (may_join ? last : end) - at;
    }
    last = end;
    end += here.length;
  }
  return end - at;
}

void PrecompiledNormalizer::normalize(NormalizerScratch* scratch, NormalizedText* text) const {
  const std::string_view in = text->view();
  size_t at = plain_run(in, 0);
  if (at == in.size()) return;
  std::vector<CharChange>& changes = scratch->changes;
  changes.clear();
  keep(in.substr(0, at), &changes);
  while (at < in.size()) {
    const size_t end = grapheme_end(in, at);
    const std::string_view cluster = in.substr(at, end - at);
    const auto whole = cluster.size() <= kLongestWhole ? map_.find(cluster) : std::nullopt;
    if (whole) {
      replace(cluster, *whole, &changes);
    } else {
      for (size_t i = 0; i < cluster.size();) {
        const Utf8Char here = utf8_at(cluster, i);
        const std::string_view character = cluster.substr(i, here.length);
        if (const auto one = map_.find(character)) {
          replace(character, *one, &changes);
        } else {
          changes.push_back({here.code, 0});
        }
        i += here.length;
      }
    }
    at = end;
    const size_t run = plain_run(in, at);
    keep(in.substr(at, run), &changes);
    at += run;
  }
  text->transform(changes);
}

// replace() has no change to put such characters into while there is none.
bool PrecompiledNormalizer::moves_origins(std::string_view text) const {
  if (text.empty()) return false;
  const std::string_view cluster = text.substr(0, grapheme_end(text, 0));
  auto start = cluster.size() <= kLongestWhole ? map_.find(cluster) : std::nullopt;
  if (!start) start = map_.find(text.substr(0, utf8_length(text[0])));
  return start && start->empty();
}

}  // namespace bouquet::tokenizer
