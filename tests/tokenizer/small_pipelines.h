// Whole tokenizers of each kind with small vocabularies, as text of tokenizer.json.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace bouquet::tokenizer {

struct SmallPipeline {
  std::string name;
  std::string json;
  friend void PrintTo(const SmallPipeline& pipeline, std::ostream* out) { *out << pipeline.name; }
};

// WordPiece as BERT has it, Unigram as XLM-R and as BGE-M3, byte-level BPE as Qwen2 and as DeepSeek, BPE with byte
// fallback as Llama 2 and as Gemma, and byte-level BPE that splits by a regular expression of no scanner.
const std::vector<SmallPipeline>& small_pipelines();

}  // namespace bouquet::tokenizer
