// The parts of a tokenizer.json that byte-level BPE has, as text.
#pragma once

#include <string>
#include <string_view>

namespace bouquet::tokenizer {

// As pre-tokenizer, post-processor or decoder. `splits`: by GPT-2's expression.
std::string byte_level_text(bool prefix_space, bool trims, bool splits);

// A pre-tokenizer that splits by `regex` and then does as `next`, a pre-tokenizer too, says.
std::string split_text(std::string_view regex, std::string_view next);

// `vocabulary`: an object of ids; `merges`: a list. `whole_words`: a word that is a token is not cut.
std::string bpe_model_text(std::string_view vocabulary, std::string_view merges, bool whole_words);

}  // namespace bouquet::tokenizer
