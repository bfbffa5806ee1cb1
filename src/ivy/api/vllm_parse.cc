// vLLM's requests -> Jobs.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ivy/api/inputs.h"
#include "ivy/api/vllm.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

// What all of vLLM's requests for results share. truncate_prompt_tokens may only say what holds anyway.
absl::Status read_common(const Fields& fields, JobOptions* options) {
  RETURN_IF_ERROR(fields.text("model").status());  // it has been read: of interest is that it is a text
  ASSIGN_OR_RETURN(const auto tokens, fields.integer("truncate_prompt_tokens"));
  if (tokens && *tokens != -1) {
    return invalid_input("truncate_prompt_tokens",
                         "truncate_prompt_tokens must be -1, which cuts texts where the model's limit is");
  }
  ASSIGN_OR_RETURN(options->truncate, fields.boolean("truncate"));
  ASSIGN_OR_RETURN(options->lane, read_lane(fields));
  return absl::OkStatus();
}

// use_activation, or activation as older versions call it; both mean: not the logits.
absl::StatusOr<bool> read_raw(const Fields& fields) {
  ASSIGN_OR_RETURN(const auto use_activation, fields.boolean("use_activation"));
  ASSIGN_OR_RETURN(const auto activation, fields.boolean("activation"));
  return !use_activation.value_or(activation.value_or(true));
}

// A string or a list of strings, none of them empty.
absl::StatusOr<std::vector<std::string>> read_side_texts(const Fields& fields, std::string_view name, size_t most) {
  ASSIGN_OR_RETURN(const JsonValue value, fields.require(name));
  const std::string field(name);
  std::string_view text;
  std::vector<std::string> texts;
  if (value.get(text) == simdjson::SUCCESS) {
    if (text.empty()) return empty_input(field, absl::StrCat(field, " is empty"));
    texts.emplace_back(text);
    return texts;
  }
  ASSIGN_OR_RETURN(std::vector<Input> list, read_texts(value, field, most));
  for (Input& input : list) {
    const std::string entry = absl::StrCat(field, "[", texts.size(), "]");
    texts.push_back(std::get<std::string>(std::move(input)));
    if (texts.back().empty()) return empty_input(entry, absl::StrCat(entry, " is empty"));
  }
  return texts;
}

// A reranker's job, which sees both texts of a pair.
void score_pairs(std::vector<std::string> first, std::vector<std::string> second, Job* job) {
  job->task = Task::kScore;
  const bool one = first.size() == 1;
  if (one) job->query = std::move(first[0]);
  for (size_t i = 0; i < second.size(); ++i) {
    one ? job->inputs.emplace_back(std::move(second[i]))
        : job->inputs.emplace_back(TextPair(std::move(first[i]), std::move(second[i])));
  }
}

// An embedder's: the second texts come first, so that they keep their index in errors.
void score_vectors(std::vector<std::string> first, std::vector<std::string> second, Job* job) {
  job->task = Task::kEmbed;
  for (auto* side : {&second, &first}) {
    for (std::string& text : *side) job->inputs.emplace_back(std::move(text));
  }
}

// A model for late interaction has vectors of tokens of its own; of the others the encoder's are given.
absl::StatusOr<Task> pooling_task(const Fields& fields, const ModelInfo& model) {
  ASSIGN_OR_RETURN(const auto name, fields.text("task"));
  const Task of_tokens = model.multi_vector ? Task::kMultiVector : Task::kTokens;
  if (!name) return model.embeds ? Task::kEmbed : model.classifies ? Task::kClassify : of_tokens;
  if (*name == "embed") return Task::kEmbed;
  if (*name == "classify") return Task::kClassify;
  if (*name == "token_embed") return of_tokens;
  return invalid_input("task", absl::StrCat("task must be embed, token_embed or classify, but it is \"", *name, "\""));
}

absl::Status read_input(const Fields& fields, const ApiContext& context, Job* job) {
  if (fields.find("messages") && !fields.find("input")) {
    return invalid_input("messages", "this server takes text in \"input\", not messages, images or audio");
  }
  ASSIGN_OR_RETURN(const JsonValue input, fields.require("input"));
  ASSIGN_OR_RETURN(Inputs inputs, read_inputs(input, "input", context.options.max_inputs));
  job->inputs = std::move(inputs.list);
  job->single = inputs.single;
  job->options.prompt_name = context.prompt;
  return read_common(fields, &job->options);
}

}  // namespace

absl::StatusOr<VllmScore> parse_vllm_score(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  const bool named = fields.find("queries").has_value() || fields.find("documents").has_value();
  const std::string first_name = named ? "queries" : "text_1", second_name = named ? "documents" : "text_2";
  const size_t most = context.options.max_inputs;
  ASSIGN_OR_RETURN(std::vector<std::string> first, read_side_texts(fields, first_name, most));
  ASSIGN_OR_RETURN(std::vector<std::string> second, read_side_texts(fields, second_name, most));
  if (first.size() != 1 && first.size() != second.size()) {
    return invalid_input(first_name, absl::StrCat(first_name, " has ", first.size(), " entries and ", second_name, " ",
                                                  second.size(), ": the first must have one, or as many as the other"));
  }
  VllmScore out;
  out.pairs = second.size();
  out.queries = first.size();
  out.job.field = second_name;
  const ModelInfo& model = context.gateway->model();
  const auto fill = model.embeds && !model.reranks ? score_vectors : score_pairs;
  fill(std::move(first), std::move(second), &out.job);
  RETURN_IF_ERROR(read_common(fields, &out.job.options));
  ASSIGN_OR_RETURN(out.raw, read_raw(fields));
  return out;
}

absl::StatusOr<VllmPooling> parse_vllm_classify(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  VllmPooling out;
  out.job.task = Task::kClassify;
  RETURN_IF_ERROR(read_input(fields, context, &out.job));
  ASSIGN_OR_RETURN(out.raw, read_raw(fields));
  return out;
}

absl::StatusOr<VllmPooling> parse_vllm_pooling(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  VllmPooling out;
  RETURN_IF_ERROR(read_input(fields, context, &out.job));
  ASSIGN_OR_RETURN(out.job.task, pooling_task(fields, context.gateway->model()));
  ASSIGN_OR_RETURN(const auto side, fields.text("input_type"));
  out.job.options.is_query = side == "query";
  ASSIGN_OR_RETURN(out.raw, read_raw(fields));
  ASSIGN_OR_RETURN(out.job.options.dimensions, fields.integer("dimensions"));
  ASSIGN_OR_RETURN(const auto normalize, fields.boolean("normalize"));
  out.job.options.normalize = normalize.value_or(!out.raw);
  ASSIGN_OR_RETURN(const auto format, fields.text("encoding_format"));
  if (format && *format != "float" && *format != "base64") {
    return invalid_input("encoding_format",
                         absl::StrCat("encoding_format must be \"float\" or \"base64\", but it is \"", *format, "\""));
  }
  if (format && *format == "base64") out.format = VectorFormat::kBase64;
  return out;
}

absl::StatusOr<VllmTokenize> parse_vllm_tokenize(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  VllmTokenize out;
  out.job.task = Task::kTokenize;
  out.job.field = "prompt";
  out.job.single = true;
  ASSIGN_OR_RETURN(std::string prompt, fields.require_text("prompt"));
  out.job.inputs.emplace_back(std::move(prompt));
  out.job.options.prompt_name = context.prompt;
  ASSIGN_OR_RETURN(const auto special, fields.boolean("add_special_tokens"));
  out.job.options.add_special_tokens = special.value_or(true);
  ASSIGN_OR_RETURN(const auto strings, fields.boolean("return_token_strs"));
  out.strings = strings.value_or(false);
  return out;
}

absl::StatusOr<Job> parse_vllm_detokenize(const Document& body, const ApiContext&) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  Job job;
  job.task = Task::kDecode;
  job.field = "tokens";
  job.single = true;
  job.options.skip_special_tokens = false;
  ASSIGN_OR_RETURN(const JsonValue value, fields.require("tokens"));
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) return wrong_type("tokens", "a list of token ids", value);
  ASSIGN_OR_RETURN(TokenIds ids, read_ids(list, "tokens"));
  job.inputs.emplace_back(std::move(ids));
  return job;
}

}  // namespace bouquet::ivy
