// Decoders that do one thing: Metaspace, ByteFallback, Fuse, Strip; and Sequence, which applies several.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "tokenizer/decoders/decoder.h"
#include "tokenizer/json_object.h"
#include "tokenizer/pre_tokenizers/metaspace_pre_tokenizer.h"

namespace bouquet::tokenizer {

// Replacements become spaces, but for those of the first token, which stand for what was put before the text.
class MetaspaceDecoder final : public Decoder {
 public:
  explicit MetaspaceDecoder(const MetaspaceOptions& options)
      : replacement_(utf8_of(options.replacement)), drops_first_(options.prepend != PrependScheme::kNever) {}
  static absl::StatusOr<std::unique_ptr<const Decoder>> make(const JsonObject& json);
  void decode(std::vector<std::string>* tokens) const override;

 private:
  std::string replacement_;
  bool drops_first_;
};

// Runs of tokens such as <0xE2> become the bytes they name, or a U+FFFD each if those are not UTF-8.
class ByteFallbackDecoder final : public Decoder {
 public:
  void decode(std::vector<std::string>* tokens) const override;
};

// Makes one token of all.
class FuseDecoder final : public Decoder {
 public:
  void decode(std::vector<std::string>* tokens) const override;
};

// Takes a character away from both ends of each token, up to `start` and `stop` times.
class StripDecoder final : public Decoder {
 public:
  StripDecoder(std::string content, int32_t start, int32_t stop)
      : content_(std::move(content)), start_(start), stop_(stop) {}
  static absl::StatusOr<std::unique_ptr<const Decoder>> make(const JsonObject& json);
  void decode(std::vector<std::string>* tokens) const override;

 private:
  std::string content_;
  int32_t start_, stop_;
};

class SequenceDecoder final : public Decoder {
 public:
  explicit SequenceDecoder(std::vector<std::unique_ptr<const Decoder>> parts) : parts_(std::move(parts)) {}
  void decode(std::vector<std::string>* tokens) const override;

 private:
  std::vector<std::unique_ptr<const Decoder>> parts_;
};

}  // namespace bouquet::tokenizer
