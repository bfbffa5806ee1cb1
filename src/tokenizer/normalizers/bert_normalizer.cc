// ASCII is replaced in place through a table; the first byte that needs more starts the general scan.
#include "tokenizer/normalizers/bert_normalizer.h"

namespace bouquet::tokenizer {

BertNormalizer::BertNormalizer(const BertNormalizerOptions& options) : options_(options) {
  const UnicodeTable& table = UnicodeTable::get();
  ascii_.fill(kSlow);
  for (char32_t code = 0; code < 0x80; ++code) {
    const uint16_t flags = table.flags(code);
    if (options.clean_text && (flags & kDroppedFlag) != 0) continue;
    const char32_t cleaned = options.clean_text && (flags & kSpacedFlag) != 0 ? U' ' : code;
    ascii_[code] = static_cast<uint8_t>(options.lowercase ? table.lower(cleaned) : cleaned);
  }
}

void BertNormalizer::normalize(NormalizerScratch* scratch, NormalizedText* text) const {
  const std::string_view in = text->view();
  char* const out = text->begin_in_place();
  size_t at = 0;
  for (; at < in.size(); ++at) {
    const uint8_t byte = ascii_[static_cast<unsigned char>(in[at])];
    if (byte == kSlow) break;
    out[at] = static_cast<char>(byte);
  }
  if (at == in.size()) {
    text->commit_in_place();
    return;
  }
  text->begin_stage(at);
  normalize_rest(at, &scratch->decomposer, text);
  text->commit();
}

size_t BertNormalizer::ascii_run(std::string_view in, size_t at) const {
  size_t end = at;
  while (end < in.size() && ascii_[static_cast<unsigned char>(in[end])] != kSlow) ++end;
  return end - at;
}

void BertNormalizer::normalize_rest(size_t at, Decomposer* decomposer, NormalizedText* text) const {
  const UnicodeTable& table = UnicodeTable::get();
  const std::string_view in = text->view();
  decomposer->reset();
  const auto emit = [&](char32_t code, uint32_t origin) {
    if ((table.flags(code) & kMarkFlag) == 0) finish_char(code, origin, text);
  };
  const auto accents = [&](char32_t code, uint32_t origin) {
    options_.strip_accents ? decomposer->add(code, origin, emit) : finish_char(code, origin, text);
  };
  while (at < in.size()) {
    if (const size_t run = ascii_run(in, at); run > 0) {
      decomposer->flush(emit);
      char* const out = text->put_run(at, run);
      for (size_t i = 0; i < run; ++i) out[i] = static_cast<char>(ascii_[static_cast<unsigned char>(in[at + i])]);
      at += run;
      continue;
    }
    const Utf8Char here = utf8_at(in, at);
    const uint32_t origin = text->origin(at);
    at += here.length;
    const uint16_t flags = table.flags(here.code);
    if (options_.clean_text && (flags & (kDroppedFlag | kSpacedFlag)) != 0) {
      if ((flags & kDroppedFlag) == 0) accents(U' ', origin);
    } else if (options_.handle_chinese_chars && (flags & kChineseFlag) != 0) {
      accents(U' ', origin);
      accents(here.code, origin);
      accents(U' ', origin);
    } else {
      accents(here.code, origin);
    }
  }
  decomposer->flush(emit);
}

void BertNormalizer::finish_char(char32_t code, uint32_t origin, NormalizedText* text) const {
  const UnicodeTable& table = UnicodeTable::get();
  if (!options_.lowercase || (table.flags(code) & kLowersFlag) == 0) {
    text->put(code, origin);
    return;
  }
  text->put(table.lower(code), origin);
  if (code == 0x130) text->put(0x307, origin);
}

}  // namespace bouquet::tokenizer
