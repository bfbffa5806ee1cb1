// Vocabularies, merges and options from choices: the reference model, and the same as the "model" of a tokenizer.json.
#pragma once

#include <string>

#include "tokenizer/choices.h"
#include "tokenizer/reference_models.h"

namespace bouquet::tokenizer {

// Few characters, of one to four bytes, so that much of what comes together is a piece; some are in no vocabulary.
std::string random_word(Choices* choices, size_t most_chars);

WordpieceReference random_wordpiece(Choices* choices);
UnigramReference random_unigram(Choices* choices);
BpeReference random_bpe(Choices* choices);
BpeReference random_byte_level_bpe(Choices* choices);

std::string json_of(const WordpieceReference& model);
std::string json_of(const UnigramReference& model);
std::string json_of(const BpeReference& model);

}  // namespace bouquet::tokenizer
