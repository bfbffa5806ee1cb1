// All strings lie in one buffer; the trie is built once at load.
#include "tokenizer/models/vocabulary.h"

#include <algorithm>
#include <unordered_map>

#include "base/status.h"
#include "fmt/format.h"

namespace bouquet::tokenizer {

absl::StatusOr<Vocabulary> Vocabulary::from_json(const JsonObject& json) {
  std::unordered_map<std::string_view, int32_t> ids;
  for (const auto field : json) {
    int64_t id = 0;
    if (field.value.get(id) != simdjson::SUCCESS || id < 0 || id > ByteTrie::kMostValue) {
      return json_error(json.place_of(field.key), fmt::format("is not a whole number up to {}", ByteTrie::kMostValue));
    }
    ids[field.key] = static_cast<int32_t>(id);
  }
  return build({ids.begin(), ids.end()});
}

Vocabulary Vocabulary::from_list(const std::vector<std::string_view>& tokens) {
  std::vector<ByteTrie::Entry> ids;
  for (const std::string_view token : tokens) ids.emplace_back(token, static_cast<int32_t>(ids.size()));
  return build(ids);
}

Vocabulary Vocabulary::build(const std::vector<ByteTrie::Entry>& ids) {
  Vocabulary vocabulary;
  vocabulary.size_ = static_cast<int32_t>(ids.size());
  for (const auto& [token, id] : ids) {
    vocabulary.by_id_.push_back(
        {id, static_cast<uint32_t>(vocabulary.strings_.size()), static_cast<uint32_t>(token.size())});
    vocabulary.strings_.append(token);
  }
  vocabulary.trie_ = ByteTrie(ids);
  const std::string_view strings = vocabulary.strings_;
  std::sort(vocabulary.by_id_.begin(), vocabulary.by_id_.end(), [&](const ById& a, const ById& b) {
    if (a.id != b.id) return a.id < b.id;
    return strings.substr(a.begin, a.length) < strings.substr(b.begin, b.length);
  });
  return vocabulary;
}

std::array<int32_t, 256> Vocabulary::byte_fallback_ids() const {
  std::array<int32_t, 256> ids;
  for (size_t byte = 0; byte < ids.size(); ++byte) ids[byte] = trie_.find(fmt::format("<0x{:02X}>", byte));
  return ids;
}

std::optional<int32_t> Vocabulary::id(std::string_view token) const {
  const int32_t id = trie_.find(token);
  return id == ByteTrie::kNone ? std::nullopt : std::optional<int32_t>(id);
}

bool Vocabulary::shares_ids() const {
  const auto same = [](const ById& a, const ById& b) { return a.id == b.id; };
  return std::adjacent_find(by_id_.begin(), by_id_.end(), same) != by_id_.end();
}

std::string_view Vocabulary::token(int32_t id) const {
  const auto at = std::lower_bound(by_id_.begin(), by_id_.end(), id, [](const ById& a, int32_t b) { return a.id < b; });
  if (at == by_id_.end() || at->id != id) return {};
  return std::string_view(strings_).substr(at->begin, at->length);
}

}  // namespace bouquet::tokenizer
