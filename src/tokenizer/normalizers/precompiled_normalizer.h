// Precompiled: SentencePiece's character map, applied grapheme cluster by grapheme cluster: one of less than 6 bytes is
// looked up as a whole first (the shortest key it begins with replaces all of it), else each character by itself.
#pragma once

#include <bitset>
#include <memory>

#include "absl/status/statusor.h"
#include "tokenizer/json_object.h"
#include "tokenizer/normalizers/charsmap.h"
#include "tokenizer/normalizers/normalizer.h"

namespace bouquet::tokenizer {

class PrecompiledNormalizer final : public Normalizer {
 public:
  explicit PrecompiledNormalizer(Charsmap map);
  static absl::StatusOr<std::unique_ptr<const Normalizer>> make(const JsonObject& json);
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
  bool may_move_origins() const override { return true; }
  bool moves_origins(std::string_view text) const override;

 private:
  static constexpr char32_t kPlainEnd = 0x10000;

  bool is_plain(char32_t code) const { return code < kPlainEnd && plain_[code]; }
  size_t plain_run(std::string_view in, size_t at) const;

  Charsmap map_;
  std::bitset<kPlainEnd> plain_;  // characters that stay as they are and make no cluster with each other
};

}  // namespace bouquet::tokenizer
