// The pipeline of `bouquet embed`, or a server's embeddings route.
#include "cli/eval/embedder.h"

#include <algorithm>

#include "base/status.h"
#include "cli/bench/http_target.h"
#include "cli/embed/bulk_gateway.h"
#include "fmt/format.h"
#include "ivy/json_file.h"

namespace bouquet::cli {
namespace {

// Another reader's records with a text before each.
class PrefixReader : public RecordReader {
 public:
  PrefixReader(RecordReader& inner, const std::string& prefix) : inner_(inner), prefix_(prefix) {}
  absl::StatusOr<std::optional<std::string>> next() override {
    ASSIGN_OR_RETURN(std::optional<std::string> record, inner_.next());
    if (record) record->insert(0, prefix_);
    return record;
  }
  int64_t line() const override { return inner_.line(); }
  int64_t bytes() const override { return inner_.bytes(); }

 private:
  RecordReader& inner_;
  const std::string& prefix_;
};

// As sentence-transformers' encode_query and encode_document choose.
absl::StatusOr<std::optional<std::string>> choose_prompt(const std::string& wanted, TextKind kind,
                                                         const ivy::Recipe& recipe) {
  if (wanted.empty()) return std::nullopt;
  if (wanted != "auto") {
    if (recipe.prompts.contains(wanted)) return wanted;
    return absl::InvalidArgumentError(fmt::format("the model has no prompt \"{}\"", wanted));
  }
  const std::vector<const char*> usual =
      kind == TextKind::kQuery ? std::vector{"query"} : std::vector{"document", "passage", "corpus"};
  for (const char* name : usual) {
    if (recipe.prompts.contains(name)) return name;
  }
  return std::nullopt;
}

// What the model was trained with, as its files say; cosine where they say nothing.
absl::StatusOr<std::string> choose_similarity(const std::string& wanted, const std::filesystem::path& model) {
  if (wanted != "auto") return wanted;
  ASSIGN_OR_RETURN(const ivy::JsonFile config,
                   ivy::JsonFile::read_if_there(model / "config_sentence_transformers.json"));
  const std::string name = config.text("similarity_fn_name");
  if (name.empty()) return "cosine";
  if (name == "cosine" || name == "dot") return name;
  return absl::InvalidArgumentError(
      fmt::format("the model compares by {}, which is not known here: choose --similarity cosine or dot", name));
}

class LocalEmbedder : public Embedder {
 public:
  static absl::StatusOr<std::unique_ptr<Embedder>> create(const EmbedderOptions& options) {
    auto embedder = std::make_unique<LocalEmbedder>();
    embedder->options_ = options;
    ASSIGN_OR_RETURN(LoadedModel loaded, load(options.model));
    if (loaded.engine->info().model.dimensions == 0) {
      return absl::InvalidArgumentError("this model gives scores, not embeddings");
    }
    ASSIGN_OR_RETURN(const ivy::Recipe recipe, ivy::read_model_recipe(loaded.directory));
    ASSIGN_OR_RETURN(embedder->query_prompt_, choose_prompt(options.query_prompt, TextKind::kQuery, recipe));
    ASSIGN_OR_RETURN(embedder->document_prompt_, choose_prompt(options.document_prompt, TextKind::kDocument, recipe));
    ASSIGN_OR_RETURN(embedder->options_.similarity, choose_similarity(options.similarity, loaded.directory));
    embedder->dtype_ = loaded.engine->info().dtype;
    ASSIGN_OR_RETURN(embedder->gateway_, make_bulk_gateway(options.model.model, true, loaded, &embedder->service_));
    return embedder;
  }

  std::string model() const override { return options_.model.model; }
  std::string dtype() const override { return dtype_; }
  std::string similarity() const override { return options_.similarity; }

  absl::StatusOr<PipelineReport> embed(RecordReader& reader, TextKind kind, VectorWriter& writer,
                                       const PipelineProgress& progress) override {
    const bool query = kind == TextKind::kQuery;
    PipelineOptions pipeline;
    pipeline.job.normalize = options_.similarity == "cosine";
    pipeline.job.lane = tulip::Lane::kBulk;
    pipeline.job.prompt_name = query ? query_prompt_ : document_prompt_;
    PrefixReader prefixed(reader, query ? options_.query_prefix : options_.document_prefix);
    return run_pipeline(prefixed, *gateway_, writer, 0, pipeline, progress);
  }

 private:
  EmbedderOptions options_;
  std::string dtype_;
  std::optional<std::string> query_prompt_, document_prompt_;
  std::shared_ptr<tulip::Service> service_;
  std::unique_ptr<ivy::Gateway> gateway_;
};

class ServerEmbedder : public Embedder {
 public:
  static absl::StatusOr<std::unique_ptr<Embedder>> create(const EmbedderOptions& options) {
    auto embedder = std::make_unique<ServerEmbedder>();
    embedder->options_ = options;
    HttpTargetOptions target{.url = options.url, .key = options.key, .model = options.server_model, .dialect = {}};
    ASSIGN_OR_RETURN(target.dialect, find_dialect(options.dialect));
    ASSIGN_OR_RETURN(embedder->target_, HttpTarget::find(std::move(target)));
    return embedder;
  }

  std::string model() const override {
    return fmt::format("{} at {}", target_->options().model, target_->options().url);
  }
  std::string dtype() const override { return ""; }
  std::string similarity() const override { return options_.similarity == "auto" ? "cosine" : options_.similarity; }

  absl::StatusOr<PipelineReport> embed(RecordReader& reader, TextKind kind, VectorWriter& writer,
                                       const PipelineProgress& progress) override {
    PrefixReader prefixed(reader, kind == TextKind::kQuery ? options_.query_prefix : options_.document_prefix);
    PipelineReport report;
    for (bool more = true; more;) {
      ASSIGN_OR_RETURN(const std::vector<std::string> texts, take(prefixed));
      more = !texts.empty();
      if (!more) break;
      RETURN_IF_ERROR(send(texts, writer));
      report.records += static_cast<int64_t>(texts.size());
      report.complete = progress(report, reader.bytes());
      if (!report.complete) break;
    }
    return report;
  }

 private:
  static constexpr size_t kTexts = 32;  // of a request: as many as any server takes

  static absl::StatusOr<std::vector<std::string>> take(RecordReader& reader) {
    std::vector<std::string> texts;
    while (texts.size() < kTexts) {
      ASSIGN_OR_RETURN(std::optional<std::string> text, reader.next());
      if (!text) break;
      texts.push_back(*std::move(text));
    }
    return texts;
  }

  absl::Status send(const std::vector<std::string>& texts, VectorWriter& writer) const {
    ASSIGN_OR_RETURN(const auto vectors, target_->vectors_of(texts));
    if (vectors.size() != texts.size()) {
      return absl::InternalError(fmt::format("{} vectors came for {} texts", vectors.size(), texts.size()));
    }
    for (const std::vector<double>& vector : vectors) {
      const std::vector<float> row(vector.begin(), vector.end());
      RETURN_IF_ERROR(writer.write(row));
    }
    return absl::OkStatus();
  }

  EmbedderOptions options_;
  std::unique_ptr<HttpTarget> target_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Embedder>> Embedder::create(const EmbedderOptions& options) {
  return options.url.empty() ? LocalEmbedder::create(options) : ServerEmbedder::create(options);
}

}  // namespace bouquet::cli
