// Normalisers that do one thing: Lowercase, StripAccents, Prepend, Strip; and Sequence, which applies several.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "tokenizer/json_object.h"
#include "tokenizer/normalizers/normalizer.h"

namespace bouquet::tokenizer {

class LowercaseNormalizer final : public Normalizer {
 public:
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
};

// Removes combining characters (general category M) without decomposing first.
class StripAccentsNormalizer final : public Normalizer {
 public:
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
};

// Puts a string before every text that is not empty.
class PrependNormalizer final : public Normalizer {
 public:
  explicit PrependNormalizer(std::string prefix) : prefix_(std::move(prefix)) {}
  static absl::StatusOr<std::unique_ptr<const Normalizer>> make(const JsonObject& json);
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
  bool looks_at_ends() const override { return true; }

 private:
  std::string prefix_;
};

// Takes away white space at the left end, the right end, or both.
class StripNormalizer final : public Normalizer {
 public:
  StripNormalizer(bool left, bool right) : left_(left), right_(right) {}
  static absl::StatusOr<std::unique_ptr<const Normalizer>> make(const JsonObject& json);
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
  bool looks_at_ends() const override { return true; }

 private:
  bool left_, right_;
};

class SequenceNormalizer final : public Normalizer {
 public:
  explicit SequenceNormalizer(std::vector<std::unique_ptr<const Normalizer>> parts) : parts_(std::move(parts)) {}
  void normalize(NormalizerScratch* scratch, NormalizedText* text) const override;
  bool isolates_chinese() const override;
  bool looks_at_ends() const override;
  bool may_move_origins() const override;
  bool moves_origins(std::string_view text) const override;

 private:
  std::vector<std::unique_ptr<const Normalizer>> parts_;
};

}  // namespace bouquet::tokenizer
