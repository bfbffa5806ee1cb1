// Weaviate's requests and replies.
#include "ivy/api/weaviate.h"

#include <utility>

#include "base/json_writer.h"
#include "base/status.h"
#include "ivy/api/ollama.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kVectors = R"({"type":"object","required":["text"],"properties":{"text":{"type":"string"},
"config":{"type":"object","properties":{"task_type":{"type":"string","description":"query or passage: the model's prompt of this name, if any"},
"pooling_strategy":{"type":"string","description":"ignored: the model's own holds"}}}}})";
void live(const ApiContext&, ApiCall call) { call.respond(empty_reply(204)); }

void ready(const ApiContext& context, ApiCall call) { call.respond(empty_reply(context.catalog.ready() ? 204 : 503)); }

void vectors(const ApiContext& context, ApiCall call) {
  absl::StatusOr<Job> job = parse_weaviate(*call.body, context);
  if (!job.ok()) return fail(call, job.status());
  const std::string text = std::get<std::string>(job->inputs[0]);
  run_job(context, std::move(call), *std::move(job), [text](const JobResult& result) {
    JsonWriter json;
    json.begin_object().key("text").string(text);
    json.key("vector").floats({result.row(0), static_cast<size_t>(result.row_size)});
    json.key("dim").number(int64_t{result.row_size}).end_object();
    return json_reply(std::move(json).str(), result);
  });
}

void meta(const ApiContext& context, ApiCall call) {
  const ModelInfo& model = context.gateway->model();
  JsonWriter json;
  json.begin_object().key("model").string(context.model).key("dimensions").number(int64_t{model.card.dimensions});
  json.key("max_length").number(int64_t{context.gateway->max_length()}).key("pooling").string(model.card.pooling);
  json.key("dtype").string(model.card.dtype).end_object();
  call.respond(json_reply(std::move(json).str(), {}));
}

constexpr std::string_view kJson = "application/json";
constexpr Route kRoutes[] = {
    {"POST", "/vectors", vectors, weaviate_error, "Embed a text (Weaviate)", kVectors, kJson, "", false,
     Answers::kModel},
    {"GET", "/meta", meta, weaviate_error, "What the model is (Weaviate)", "", kJson, "", false, Answers::kModel},
    {"GET", "/.well-known/live", live, weaviate_error, "Alive (Weaviate)", "", kJson, "", true, Answers::kServer},
    {"GET", "/.well-known/ready", ready, weaviate_error, "Ready (Weaviate)", "", kJson, "", true, Answers::kServer},
};

}  // namespace

std::span<const Route> weaviate_routes() { return kRoutes; }

http::Response weaviate_error(const absl::Status& status) { return ollama_error(status); }

absl::StatusOr<Job> parse_weaviate(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  Job job;
  job.field = "text";
  job.single = true;
  ASSIGN_OR_RETURN(std::string text, fields.require_text("text"));
  job.inputs.emplace_back(std::move(text));
  job.options.prompt_name = context.prompt;
  const auto config = fields.find("config");
  if (!config) return job;
  ASSIGN_OR_RETURN(const Fields more, Fields::of(*config, "config"));
  ASSIGN_OR_RETURN(const auto type, more.text("task_type"));
  // Weaviate sends it always, whether or not the model has such a prompt.
  if (type && !job.options.prompt_name && find_prompt(*context.gateway->recipe(), *type).ok()) {
    job.options.prompt_name = type;
  }
  return job;
}

}  // namespace bouquet::ivy
