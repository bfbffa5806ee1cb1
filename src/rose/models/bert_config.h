// The keys that BERT's relatives share.
#pragma once

#include "rose/models/post_norm_encoder.h"

namespace bouquet::rose {

// hidden_size, num_attention_heads, ... by BERT's names, with BERT's defaults.
// Learned absolute positions are the only ones it takes.
absl::StatusOr<PostNormConfig> parse_bert_config(const JsonConfig& config);
// The same keys, whatever the positions are.
absl::StatusOr<PostNormConfig> parse_bert_sizes(const JsonConfig& config);

// INVALID_ARGUMENT where a size is missing its sense (no heads, hidden no multiple of them, ...).
absl::Status check_sizes(const JsonConfig& config, const PostNormConfig& parsed);

// Sets attention and feed-forward of a layer whose queries, keys and values are all `hidden` wide.
void set_widths(int32_t hidden, int32_t heads, int32_t intermediate, PostNormConfig* config);

Sizes sizes_of(const PostNormConfig& config);

// What masked language models on it share: the names of dense, norm and bias are the caller's. `decoder` is the head's
// own table, read where the config does not tie it to the words.
absl::StatusOr<MaskedLmConfig> masked_lm(const JsonConfig& config, const PostNormConfig& parsed, std::string decoder);

}  // namespace bouquet::rose
