// Texts to vectors for an evaluation: in this process, or by a server.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "cli/embed/pipeline.h"
#include "cli/model_flags.h"

namespace bouquet::cli {

enum class TextKind : uint8_t { kQuery, kDocument };

struct EmbedderOptions {
  ModelFlags model;  // in this process
  std::string url;   // of a server; "": in this process
  std::string dialect = "openai";
  std::string server_model;                   // as the server calls it; "": the first that it lists
  std::string key;                            // that the server wants; "": none
  std::string query_prefix, document_prefix;  // put before each text
  std::string query_prompt = "auto",
              document_prompt = "auto";  // names of prompts of the model in this process; "auto":
                                         // query; document, passage or corpus; where it has them
  std::string similarity = "auto";       // cosine, dot; "auto": what the model in this process says, else cosine
};

class Embedder {
 public:
  static absl::StatusOr<std::unique_ptr<Embedder>> create(const EmbedderOptions& options);
  virtual ~Embedder() = default;
  virtual std::string model() const = 0;
  virtual std::string dtype() const = 0;       // of the weights; "": not known
  virtual std::string similarity() const = 0;  // "cosine" or "dot"
  // All records of the reader, in order, to the writer.
  virtual absl::StatusOr<PipelineReport> embed(RecordReader& reader, TextKind kind, VectorWriter& writer,
                                               const PipelineProgress& progress) = 0;
};

}  // namespace bouquet::cli
