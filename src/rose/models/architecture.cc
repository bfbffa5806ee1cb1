// The list of architectures.
#include "rose/models/architecture.h"

#include "base/status.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace bouquet::rose {
namespace {

struct KnownArchitecture {
  std::string_view model_type;
  absl::StatusOr<Architecture> (*parse)(const JsonConfig&);
};

constexpr KnownArchitecture kArchitectures[] = {
    {"bert", bert},
    {"bidirectional_pplx_qwen3", qwen3},
    {"camembert", roberta},
    {"deberta-v2", deberta_v2},
    {"distilbert", distilbert},
    {"electra", electra},
    {"embedding_gemma2", embedding_gemma2},
    {"embedding_gemma2_text", embedding_gemma2_text},
    {"eurobert", eurobert},
    {"gemma3_text", gemma3},
    {"gte", gte},
    {"jina_embeddings_v3", jina_v3},
    {"llama", llama},
    {"mistral", mistral},
    {"modernbert", modernbert},
    {"mpnet", mpnet},
    {"new", gte},
    {"nomic_bert", nomic_bert},
    {"qwen2", qwen2},
    {"qwen3", qwen3},
    {"roberta", roberta},
    {"t5", t5},
    {"xlm-roberta", roberta},
};

}  // namespace

absl::StatusOr<Architecture> parse_architecture(const JsonConfig& config) {
  ASSIGN_OR_RETURN(const std::string type, config.string_or("model_type", ""));
  std::vector<std::string_view> known;
  for (const auto& [name, parse] : kArchitectures) {
    if (name == type) return parse(config);
    known.push_back(name);
  }
  return absl::UnimplementedError(fmt::format("{}: model_type \"{}\" is not supported (these are: {})", config.name(),
                                              type, fmt::join(known, ", ")));
}

}  // namespace bouquet::rose
