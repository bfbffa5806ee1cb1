// `bouquet embed`: files or standard input to vectors, without a server.
#include <fstream>
#include <iostream>
#include <memory>

#include "base/hash.h"
#include "base/log.h"
#include "base/status.h"
#include "cli/command.h"
#include "cli/embed/bulk_gateway.h"
#include "cli/embed/pipeline.h"
#include "cli/model_flags.h"
#include "cli/numbers.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "fmt/format.h"
#include "tulip/service.h"

namespace bouquet::cli {
namespace {

namespace fs = std::filesystem;

struct EmbedFlags {
  ModelFlags model;
  std::vector<std::string> files;
  std::string output = "-";
  std::string format = "auto";
  std::string field = "text";
  std::string output_format = "auto";
  std::string prompt_name;
  int64_t dimensions = 0;
  bool normalize = true;
  bool truncate = true;
  bool progress = true;
};

// Several files as one stream of records.
class FilesReader : public RecordReader {
 public:
  FilesReader(std::vector<std::string> files, const EmbedFlags& flags) : files_(std::move(files)), flags_(flags) {}
  int64_t line() const override { return reader_ ? reader_->line() : 0; }
  int64_t bytes() const override { return finished_bytes_ + (reader_ ? reader_->bytes() : 0); }

  absl::StatusOr<std::optional<std::string>> next() override {
    for (;;) {
      if (!reader_) {
        if (at_ == files_.size()) return std::nullopt;
        RETURN_IF_ERROR(open(files_[at_++]));
      }
      ASSIGN_OR_RETURN(std::optional<std::string> record, reader_->next());
      if (record) return record;
      finished_bytes_ += reader_->bytes();
      reader_.reset();
    }
  }

 private:
  absl::Status open(const std::string& path) {
    RecordOptions options{guess_format(path), flags_.field};
    if (flags_.format != "auto") {
      options.format = flags_.format == "jsonl" ? RecordFormat::kJsonl
                       : flags_.format == "csv" ? RecordFormat::kCsv
                                                : RecordFormat::kText;
    }
    if (path == "-") {
      reader_ = make_record_reader(std::cin, "standard input", options);
      return absl::OkStatus();
    }
    file_ = std::ifstream(path, std::ios::binary);
    if (!file_) return absl::NotFoundError(fmt::format("cannot open {}", path));
    reader_ = make_record_reader(file_, path, options);
    return absl::OkStatus();
  }

  const std::vector<std::string> files_;
  const EmbedFlags& flags_;
  std::ifstream file_;
  std::unique_ptr<RecordReader> reader_;
  size_t at_ = 0;
  int64_t finished_bytes_ = 0;
};

// Bytes of all the files; 0 when one of them is a stream.
uint64_t total_bytes(const std::vector<std::string>& files) {
  uint64_t total = 0;
  for (const std::string& file : files) {
    std::error_code error;
    const uint64_t size = fs::file_size(file, error);
    if (error) return 0;
    total += size;
  }
  return total;
}

// What decides the rows: an interrupted run is only resumed by one that would write the same.
std::string describe_job(const EmbedFlags& f, const std::vector<std::string>& files, uint64_t model,
                         int32_t dimensions) {
  uint64_t inputs = 0;
  for (const std::string& file : files) {
    std::error_code ignored;
    inputs = hash_bytes(fmt::format("{}:{}", file, file == "-" ? 0 : fs::file_size(file, ignored)), inputs);
  }
  return fmt::format("inputs {:016x} model {:016x} dimensions {} normalize {} prompt {} max-length {} field {}", inputs,
                     model, dimensions, f.normalize, f.prompt_name, f.model.engine.max_length, f.field);
}

absl::Status embed(EmbedFlags& f) {
  init_log(LogFormat::kText, "warn");
  if (f.files.empty()) f.files = {"-"};
  ASSIGN_OR_RETURN(LoadedModel loaded, load(f.model));
  const rose::ModelInfo info = loaded.engine->info().model;
  if (info.dimensions == 0) return absl::InvalidArgumentError("this model gives scores, not embeddings");
  if (f.dimensions > info.dimensions) {
    return absl::InvalidArgumentError(
        fmt::format("--dimensions {} is more than the model's {}", f.dimensions, info.dimensions));
  }
  const auto width = static_cast<int32_t>(f.dimensions > 0 ? f.dimensions : info.dimensions);
  const std::string ending = fs::path(f.output).extension();
  if (f.output_format == "auto" && f.output != "-" && ending != ".npy" && ending != ".jsonl" && ending != ".ndjson") {
    return absl::InvalidArgumentError(fmt::format(
        "-o {}: which format? The endings are .jsonl and .npy; or say --output-format jsonl or npy", f.output));
  }
  const bool npy = f.output_format == "npy" || (f.output_format == "auto" && ending == ".npy");
  if (npy && f.output == "-") return absl::InvalidArgumentError("--output-format npy needs a file: -o vectors.npy");
  ASSIGN_OR_RETURN(const auto writer,
                   VectorWriter::open({f.output, npy, width, describe_job(f, f.files, info.fingerprint, width)}));
  std::shared_ptr<tulip::Service> service;
  ASSIGN_OR_RETURN(const auto gateway, make_bulk_gateway(f.model.model, f.truncate, loaded, &service));

  PipelineOptions options;
  options.job.normalize = f.normalize;
  options.job.lane = tulip::Lane::kBulk;
  if (f.dimensions > 0) options.job.dimensions = f.dimensions;
  if (!f.prompt_name.empty()) options.job.prompt_name = f.prompt_name;
  const int64_t resumed = writer->rows();
  if (resumed > 0) std::cerr << fmt::format("resuming after {} records\n", resumed);
  FilesReader reader(f.files, f);
  const uint64_t total = total_bytes(f.files);
  Progress progress("embedding", "texts", f.progress);
  if (resumed == 0) progress.update(0, total, 0);  // the rate counts from here
  const InterruptWatch interrupt;
  ASSIGN_OR_RETURN(
      const PipelineReport report,
      run_pipeline(reader, *gateway, *writer, resumed, options, [&](const PipelineReport& r, int64_t bytes) {
        progress.update(static_cast<uint64_t>(bytes), total, static_cast<double>(r.records));
        return !interrupt.seen();
      }));
  progress.finish();
  if (!report.complete) {
    return absl::CancelledError(fmt::format("interrupted after {} texts{}", resumed + report.records,
                                            f.output == "-" ? "" : "; the same command goes on from there"));
  }
  RETURN_IF_ERROR(writer->finish());
  std::cerr << fmt::format(
      "{} texts, {} tokens{}\n", resumed + report.records, report.tokens,
      report.truncated ? fmt::format(", {} cut to {} tokens", report.truncated, info.max_tokens) : "");
  return absl::OkStatus();
}

}  // namespace

Action add_embed(CLI::App& app) {
  CLI::App* c = app.add_subcommand("embed", "Embed files or standard input, without a server");
  auto flags = std::make_shared<EmbedFlags>();
  c->add_option("files", flags->files, "Files; - or none: standard input");
  flags->model.add_to(*c, "-m,--model");
  c->add_option("-o,--output", flags->output,
                "Where to; - for standard output. An interrupted run goes on where it was when called again")
      ->capture_default_str();
  c->add_option("--format", flags->format, "Input: auto (by the file's ending), text (a line each), jsonl, csv")
      ->check(CLI::IsMember({"auto", "text", "jsonl", "csv"}))
      ->capture_default_str();
  c->add_option("--field", flags->field, "The field of JSON lines, or the CSV column, that holds the text")
      ->capture_default_str();
  c->add_option("--output-format", flags->output_format, "auto (by the ending), jsonl, npy")
      ->check(CLI::IsMember({"auto", "jsonl", "npy"}))
      ->capture_default_str();
  c->add_option("--prompt-name", flags->prompt_name, "One of the model's prompts, e.g. document");
  c->add_option("--dimensions", flags->dimensions, "Leading dimensions to keep; 0: all")
      ->check(zero_or_more())
      ->capture_default_str();
  c->add_flag("--normalize,!--no-normalize", flags->normalize, "Scale vectors to unit length (default)");
  c->add_flag("--truncate,!--no-truncate", flags->truncate, "Cut texts that are too long (default), or stop at one");
  c->add_flag("--progress,!--no-progress", flags->progress, "Show progress on standard error (default)");
  c->footer(
      "  bouquet embed corpus.jsonl --field body -o corpus.npy\n  cut -f2 table.tsv | bouquet embed > vectors.jsonl");
  return [flags] { return embed(*flags); };
}

}  // namespace bouquet::cli
