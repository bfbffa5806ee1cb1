// TEI's requests -> Jobs.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ivy/api/inputs.h"
#include "ivy/api/tei.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

// truncate and truncation_direction, which most of TEI's requests have.
absl::Status read_truncation(const Fields& fields, JobOptions* options) {
  ASSIGN_OR_RETURN(options->truncate, fields.boolean("truncate"));
  ASSIGN_OR_RETURN(const auto side, fields.text("truncation_direction"));
  if (side) {
    ASSIGN_OR_RETURN(options->truncation_side, read_side(*side, fields.path_of("truncation_direction")));
  }
  return absl::OkStatus();
}

// The field goes before what the model's name asks for.
absl::Status read_prompt_name(const Fields& fields, const ApiContext& context, JobOptions* options) {
  ASSIGN_OR_RETURN(options->prompt_name, fields.text("prompt_name"));
  if (!options->prompt_name) options->prompt_name = context.prompt;
  return absl::OkStatus();
}

absl::StatusOr<Job> read_job(const Fields& fields, const ApiContext& context) {
  Job job;
  job.field = "inputs";
  ASSIGN_OR_RETURN(const JsonValue value, fields.require("inputs"));
  ASSIGN_OR_RETURN(Inputs inputs, read_inputs(value, "inputs", context.options.max_inputs));
  job.inputs = std::move(inputs.list);
  job.single = inputs.single;
  return job;
}

// [a] is one text, [a, b] one pair.
absl::StatusOr<Input> read_sequence(JsonValue value, const std::string& field) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return Input(std::string(text));
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) return wrong_type(field, "a string or a pair of strings", value);
  std::vector<std::string> texts;
  for (const JsonValue element : list) {
    if (element.get(text) != simdjson::SUCCESS) {
      return wrong_type(absl::StrCat(field, "[", texts.size(), "]"), "a string", element);
    }
    texts.emplace_back(text);
    if (texts.size() > 2) break;
  }
  if (texts.empty()) return empty_input(field, absl::StrCat(field, " is empty"));
  if (texts.size() > 2) return invalid_input(field, absl::StrCat(field, " must be one string or a pair of strings"));
  if (texts.size() == 1) return Input(std::move(texts[0]));
  return Input(TextPair(std::move(texts[0]), std::move(texts[1])));
}

// A string, a pair of strings, or a list of lists of one or two strings.
absl::Status read_predict_inputs(JsonValue value, size_t most, Job* job) {
  simdjson::dom::array list;
  const bool batch = value.get(list) == simdjson::SUCCESS && list.size() > 0 && list.at(0).is<simdjson::dom::array>();
  if (!batch) {
    ASSIGN_OR_RETURN(Input input, read_sequence(value, "inputs"));
    job->inputs.push_back(std::move(input));
    job->single = true;
    return absl::OkStatus();
  }
  for (const JsonValue element : list) {
    if (job->inputs.size() == most) {
      return invalid_input("inputs",
                           absl::StrCat("inputs has more than the ", most, " entries that this server takes at once"));
    }
    ASSIGN_OR_RETURN(Input input, read_sequence(element, absl::StrCat("inputs[", job->inputs.size(), "]")));
    job->inputs.push_back(std::move(input));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Job> parse_tei_embed(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  ASSIGN_OR_RETURN(Job job, read_job(fields, context));
  RETURN_IF_ERROR(read_truncation(fields, &job.options));
  RETURN_IF_ERROR(read_prompt_name(fields, context, &job.options));
  ASSIGN_OR_RETURN(job.options.dimensions, fields.integer("dimensions"));
  ASSIGN_OR_RETURN(const auto normalize, fields.boolean("normalize"));
  job.options.normalize = normalize.value_or(true);
  ASSIGN_OR_RETURN(job.options.lane, read_lane(fields));
  return job;
}

absl::StatusOr<Job> parse_tei_rows(Task task, const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  ASSIGN_OR_RETURN(Job job, read_job(fields, context));
  job.task = task;
  RETURN_IF_ERROR(read_truncation(fields, &job.options));
  RETURN_IF_ERROR(read_prompt_name(fields, context, &job.options));
  ASSIGN_OR_RETURN(job.options.lane, read_lane(fields));
  return job;
}

absl::StatusOr<Job> parse_tei_similarity(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  ASSIGN_OR_RETURN(const JsonValue value, fields.require("inputs"));
  ASSIGN_OR_RETURN(const Fields inputs, Fields::of(value, "inputs"));
  Job job;
  ASSIGN_OR_RETURN(std::string source, inputs.require_text("source_sentence"));
  if (source.empty()) return empty_input("inputs.source_sentence", "inputs.source_sentence is empty");
  ASSIGN_OR_RETURN(const JsonValue sentences, inputs.require("sentences"));
  ASSIGN_OR_RETURN(job.inputs, read_texts(sentences, "inputs.sentences", context.options.max_inputs));
  job.field = "inputs.sentences";
  job.inputs.emplace_back(std::move(source));  // last, so that the others keep their index
  job.options.prompt_name = context.prompt;
  if (const auto parameters = fields.find("parameters")) {
    ASSIGN_OR_RETURN(const Fields more, Fields::of(*parameters, "parameters"));
    RETURN_IF_ERROR(read_truncation(more, &job.options));
    RETURN_IF_ERROR(read_prompt_name(more, context, &job.options));
  }
  return job;
}

absl::StatusOr<Job> parse_tei_tokenize(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  Job job;
  job.task = Task::kTokenize;
  job.field = "inputs";
  ASSIGN_OR_RETURN(const JsonValue value, fields.require("inputs"));
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) {
    job.single = true;
    job.inputs.emplace_back(std::string(text));
  } else {
    ASSIGN_OR_RETURN(job.inputs, read_texts(value, "inputs", context.options.max_inputs));
  }
  ASSIGN_OR_RETURN(const auto special, fields.boolean("add_special_tokens"));
  job.options.add_special_tokens = special.value_or(true);
  RETURN_IF_ERROR(read_prompt_name(fields, context, &job.options));
  return job;
}

absl::StatusOr<Job> parse_tei_decode(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  Job job;
  job.task = Task::kDecode;
  job.field = "ids";
  ASSIGN_OR_RETURN(const JsonValue value, fields.require("ids"));
  ASSIGN_OR_RETURN(Inputs inputs, read_inputs(value, "ids", context.options.max_inputs));
  job.inputs = std::move(inputs.list);
  job.single = inputs.single;
  ASSIGN_OR_RETURN(const auto skip, fields.boolean("skip_special_tokens"));
  job.options.skip_special_tokens = skip.value_or(true);
  return job;
}

absl::StatusOr<TeiScores> parse_tei_rerank(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  TeiScores out;
  out.job.task = Task::kScore;
  out.job.field = "texts";
  ASSIGN_OR_RETURN(out.job.query, fields.require_text("query"));
  ASSIGN_OR_RETURN(const JsonValue texts, fields.require("texts"));
  ASSIGN_OR_RETURN(out.job.inputs, read_texts(texts, "texts", context.options.max_inputs));
  RETURN_IF_ERROR(read_truncation(fields, &out.job.options));
  ASSIGN_OR_RETURN(const auto raw, fields.boolean("raw_scores"));
  ASSIGN_OR_RETURN(const auto return_text, fields.boolean("return_text"));
  out.raw_scores = raw.value_or(false);
  out.return_text = return_text.value_or(false);
  ASSIGN_OR_RETURN(out.job.options.lane, read_lane(fields));
  return out;
}

absl::StatusOr<TeiScores> parse_tei_predict(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  TeiScores out;
  out.job.task = Task::kClassify;
  out.job.field = "inputs";
  ASSIGN_OR_RETURN(const JsonValue inputs, fields.require("inputs"));
  RETURN_IF_ERROR(read_predict_inputs(inputs, context.options.max_inputs, &out.job));
  RETURN_IF_ERROR(read_truncation(fields, &out.job.options));
  ASSIGN_OR_RETURN(const auto raw, fields.boolean("raw_scores"));
  out.raw_scores = raw.value_or(false);
  return out;
}

}  // namespace bouquet::ivy
