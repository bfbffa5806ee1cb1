// One comparison of the tokenizer with something slow and plain that must give the same, all of it chosen by bytes.
// Each returns "" where they agree, else what they disagree about.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace bouquet::tokenizer {

// A model with a vocabulary of its own, on some words, against reference_models.h.
std::string compare_model(std::span<const uint8_t> choices);

// The scanner of a known pattern against Oniguruma.
std::string compare_pattern(std::span<const uint8_t> choices);

// encode_ids, new and cached, cut and whole, against encode: one of small_pipelines(), or one put together of any
// normalizer, pre-tokenizer, model and added tokens.
std::string compare_small_pipeline(std::span<const uint8_t> choices);
std::string compare_any_pipeline(std::span<const uint8_t> choices);

}  // namespace bouquet::tokenizer
