// /v1/embeddings -> Job: OpenAI's fields, and those that other servers of this dialect know.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status.h"
#include "ivy/api/inputs.h"
#include "ivy/api/openai.h"
#include "ivy/api/perplexity.h"
#include "ivy/api/prompts.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

// Jina's names, known even where a model has no prompts.
constexpr std::string_view kTasks[] = {"retrieval.query", "retrieval.passage", "text-matching", "classification",
                                       "separation"};

absl::StatusOr<NamedFormat> read_encoding_format(const Fields& fields) {
  ASSIGN_OR_RETURN(const auto format, fields.text("encoding_format"));
  const std::string name = format.value_or("float");
  if (name == "float") return NamedFormat{name, VectorFormat::kFloat};
  if (name == "base64") return NamedFormat{name, VectorFormat::kBase64};
  if (name == "base64_int8") return NamedFormat{name, VectorFormat::kBase64Int8};
  if (name == "base64_binary") return NamedFormat{name, VectorFormat::kBase64Binary};
  return invalid_input("encoding_format",
                       absl::StrCat("encoding_format must be \"float\", \"base64\", \"base64_int8\" or "
                                    "\"base64_binary\", but it is \"",
                                    name, "\""));
}

// embedding_type goes first: OpenAI's client sends an encoding_format unasked.
absl::StatusOr<Formats> read_formats(const Fields& fields) {
  Formats formats;
  if (const auto types = fields.find("embedding_type")) {
    ASSIGN_OR_RETURN(formats, read_format_names(*types, "embedding_type"));
  } else {
    ASSIGN_OR_RETURN(NamedFormat format, read_encoding_format(fields));
    formats.push_back(std::move(format));
  }
  ASSIGN_OR_RETURN(const auto dtype, fields.text("embed_dtype"));
  const std::string type = dtype.value_or("float32");
  if (type == "float32" || type == "float") return formats;
  if (type != "float16") return invalid_input("embed_dtype", "embed_dtype must be \"float32\" or \"float16\"");
  if (formats.size() > 1 || formats[0].format != VectorFormat::kBase64) {
    return invalid_input("embed_dtype", "embed_dtype float16 needs encoding_format base64");
  }
  formats[0].format = VectorFormat::kBase64Float16;
  return formats;
}

absl::StatusOr<std::optional<std::string>> prompt_of_task(std::string_view task, const Recipe& recipe) {
  ASSIGN_OR_RETURN(std::optional<std::string> prompt, prompt_for("task", task, recipe));
  if (prompt || std::find(std::begin(kTasks), std::end(kTasks), task) != std::end(kTasks)) return prompt;
  const auto append = [](std::string* out, std::string_view name) { out->append(name); };
  return invalid_input("task", absl::StrCat("there is no task \"", std::string(task),
                                            "\"; there are: ", absl::StrJoin(kTasks, ", ", append)));
}

// Explicit prompt fields go before the model's name, and that before task and input_type.
absl::Status read_prompt(const Fields& fields, const ApiContext& context, JobOptions* options) {
  const std::shared_ptr<const Recipe> recipe = context.gateway->recipe();
  ASSIGN_OR_RETURN(options->prompt, fields.text("prompt"));
  ASSIGN_OR_RETURN(options->prompt_name, fields.text("prompt_name"));
  ASSIGN_OR_RETURN(const auto task, fields.text("task"));
  ASSIGN_OR_RETURN(const auto input_type, fields.text("input_type"));
  if (!options->prompt_name) options->prompt_name = context.prompt;
  if (task && !options->prompt_name) {
    ASSIGN_OR_RETURN(options->prompt_name, prompt_of_task(*task, *recipe));
  }
  if (input_type && !options->prompt_name) {
    ASSIGN_OR_RETURN(options->prompt_name, prompt_for("input_type", *input_type, *recipe));
  }
  return absl::OkStatus();
}

// All inputs become the chunks of one document.
absl::Status chunk_late(Job* job) {
  ChunkedText chunks;
  for (size_t i = 0; i < job->inputs.size(); ++i) {
    auto* text = std::get_if<std::string>(&job->inputs[i]);
    const std::string name = job->single ? job->field : absl::StrCat(job->field, "[", i, "]");
    if (text == nullptr) return invalid_input(name, absl::StrCat(name, " must be a text where late_chunking is true"));
    chunks.push_back(std::move(*text));
  }
  job->inputs.clear();
  job->inputs.emplace_back(std::move(chunks));
  job->single = true;
  job->task = Task::kContext;
  return absl::OkStatus();
}

absl::Status read_options(const Fields& fields, JobOptions* options) {
  ASSIGN_OR_RETURN(options->dimensions, fields.integer("dimensions"));
  ASSIGN_OR_RETURN(options->truncate, fields.boolean("truncate"));
  ASSIGN_OR_RETURN(const auto normalize, fields.boolean("normalize"));
  ASSIGN_OR_RETURN(const auto normalized, fields.boolean("normalized"));
  options->normalize = normalize.value_or(normalized.value_or(true));
  ASSIGN_OR_RETURN(const auto side, fields.text("truncation_side"));
  if (side) {
    ASSIGN_OR_RETURN(options->truncation_side, read_side(*side, "truncation_side"));
  }
  ASSIGN_OR_RETURN(options->lane, read_lane(fields));
  return fields.text("user").status();  // no more than its type is of interest
}

}  // namespace

absl::StatusOr<OpenaiEmbedding> parse_openai_embedding(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  OpenaiEmbedding out;
  if (fields.find("messages") && !fields.find("input")) {
    return invalid_input("messages", "this server takes text in \"input\", not messages, images or audio");
  }
  ASSIGN_OR_RETURN(const JsonValue input, fields.require("input"));
  ASSIGN_OR_RETURN(Inputs inputs, read_inputs(input, "input", context.options.max_inputs));
  out.job.inputs = std::move(inputs.list);
  out.job.single = inputs.single;
  RETURN_IF_ERROR(fields.text("model").status());  // it has been read: of interest is that it is a text
  out.model = context.model;
  RETURN_IF_ERROR(read_prompt(fields, context, &out.job.options));
  ASSIGN_OR_RETURN(out.formats, read_formats(fields));
  RETURN_IF_ERROR(read_options(fields, &out.job.options));
  for (const NamedFormat& format : out.formats) {
    RETURN_IF_ERROR(check_perplexity(format.format, out.job, context.gateway->model().card));
  }
  ASSIGN_OR_RETURN(const auto late, fields.boolean("late_chunking"));
  if (late.value_or(false)) RETURN_IF_ERROR(chunk_late(&out.job));
  return out;
}

}  // namespace bouquet::ivy
