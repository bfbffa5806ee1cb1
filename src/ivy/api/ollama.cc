// Ollama's requests, replies and errors. Both of its routes give vectors of unit length.
#include "ivy/api/ollama.h"

#include <chrono>
#include <utility>

#include "base/json_writer.h"
#include "base/status.h"
#include "base/version.h"
#include "fmt/format.h"
#include "ivy/api/formats.h"
#include "ivy/api/inputs.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kEmbed = R"({"type":"object","required":["input"],"properties":{"model":{"type":"string"},
"input":{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},
"truncate":{"type":"boolean","description":"false: refuse texts that are too long"},
"dimensions":{"type":"integer","minimum":1},
"options":{"type":"object","description":"ignored"},"keep_alive":{"description":"ignored"}}})";
constexpr std::string_view kEmbeddings = R"({"type":"object","required":["prompt"],"properties":{
"model":{"type":"string"},"prompt":{"type":"string"},
"options":{"type":"object","description":"ignored"},"keep_alive":{"description":"ignored"}}})";
constexpr std::string_view kShow = R"({"type":"object","properties":{"model":{"type":"string"},
"name":{"type":"string","description":"in place of model"}}})";

int64_t nanoseconds_since(http::Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(http::Clock::now() - begin).count();
}

http::Response embed_reply(const std::string& model, http::Clock::time_point received, const JobResult& result) {
  JsonWriter json;
  json.reserve(result.values.size() * JsonWriter::kFloatBytes + 256);
  json.begin_object().key("model").string(model).key("embeddings");
  write_rows(result, 0, rows_of(result), &json);
  json.key("total_duration").number(nanoseconds_since(received));
  json.key("load_duration").number(int64_t{0}).key("prompt_eval_count").number(result.tokens).end_object();
  return json_reply(std::move(json).str(), result);
}

void embed(const ApiContext& context, ApiCall call) {
  absl::StatusOr<Job> job = parse_ollama_embed(*call.body, context);
  if (!job.ok()) return fail(call, job.status());
  const auto received = call.request.received;
  run_job(context, std::move(call), *std::move(job),
          [model = context.model, received](const JobResult& result) { return embed_reply(model, received, result); });
}

void embeddings(const ApiContext& context, ApiCall call) {
  absl::StatusOr<Job> job = parse_ollama_embeddings(*call.body, context);
  if (!job.ok()) return fail(call, job.status());
  run_job(context, std::move(call), *std::move(job), [](const JobResult& result) {
    JsonWriter json;
    json.begin_object().key("embedding").floats({result.row(0), static_cast<size_t>(result.row_size)}).end_object();
    return json_reply(std::move(json).str(), result);
  });
}

// Of what the weights came from this server knows no more than their type.
void write_details(const ModelInfo& model, JsonWriter* json) {
  json->key("details").begin_object().key("parent_model").string("").key("format").string("");
  json->key("family").string("").key("families").begin_array().end_array().key("parameter_size").string("");
  json->key("quantization_level").string(model.card.dtype).end_object();
}

void tags(const ApiContext& context, ApiCall call) {
  JsonWriter json;
  json.begin_object().key("models").begin_array();
  for (const Offer& offer : context.catalog.offers()) {
    if (!offer.gateway) continue;
    const ModelInfo& model = offer.gateway->model();
    json.begin_object().key("name").string(offer.name).key("model").string(offer.name);
    json.key("digest").string(fmt::format("{:016x}", model.card.weights_fingerprint));
    write_details(model, &json);
    json.end_object();
  }
  json.end_array().end_object();
  call.respond(json_reply(std::move(json).str(), {}));
}

absl::StatusOr<const Gateway*> shown_model(const ApiContext& context, const ApiCall& call) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(call.body->root(), ""));
  ASSIGN_OR_RETURN(const auto model, fields.text("model"));
  ASSIGN_OR_RETURN(const auto name, fields.text("name"));
  ASSIGN_OR_RETURN(const Catalog::Choice choice, context.catalog.choose(model.value_or(name.value_or(""))));
  if (choice.offer->gateway) return choice.offer->gateway.get();
  return absl::UnavailableError("no replica of this model has been there yet");
}

void show(const ApiContext& context, ApiCall call) {
  const absl::StatusOr<const Gateway*> gateway = shown_model(context, call);
  if (!gateway.ok()) return fail(call, gateway.status());
  const ModelInfo& model = (*gateway)->model();
  JsonWriter json;
  json.begin_object();
  write_details(model, &json);
  json.key("model_info").begin_object().key("general.architecture").string("bouquet");
  json.key("bouquet.context_length").number(int64_t{(*gateway)->max_length()});
  json.key("bouquet.embedding_length").number(int64_t{model.card.dimensions});
  json.key("bouquet.pooling").string(model.card.pooling).end_object();
  json.key("capabilities").begin_array();
  if (model.embeds) json.string("embedding");
  json.end_array().end_object();
  call.respond(json_reply(std::move(json).str(), {}));
}

void version(const ApiContext&, ApiCall call) {
  JsonWriter json;
  json.begin_object().key("version").string(kVersion).end_object();
  call.respond(json_reply(std::move(json).str(), {}));
}

absl::StatusOr<Job> read_job(const Fields& fields, const ApiContext& context, std::string_view field) {
  Job job;
  job.field = field;
  RETURN_IF_ERROR(fields.text("model").status());  // it has been read: of interest is that it is a text
  job.options.prompt_name = context.prompt;
  ASSIGN_OR_RETURN(job.options.truncate, fields.boolean("truncate"));
  ASSIGN_OR_RETURN(job.options.dimensions, fields.integer("dimensions"));
  return job;
}

constexpr std::string_view kJson = "application/json";
constexpr Route kRoutes[] = {
    {"POST", "/api/embed", embed, ollama_error, "Embed texts (Ollama)", kEmbed, kJson, "", false},
    {"POST", "/api/embeddings", embeddings, ollama_error, "Embed a text (Ollama)", kEmbeddings, kJson, "", false},
    {"GET", "/api/tags", tags, ollama_error, "List the models (Ollama)", "", kJson, "", false, Answers::kServer},
    {"POST", "/api/show", show, ollama_error, "Describe a model (Ollama)", kShow, kJson, "", false, Answers::kServer},
    {"GET", "/api/version", version, ollama_error, "The server's version (Ollama)", "", kJson, "", false,
     Answers::kServer},
};

}  // namespace

std::span<const Route> ollama_routes() { return kRoutes; }

http::Response ollama_error(const absl::Status& status) { return message_error("error", status); }

absl::StatusOr<Job> parse_ollama_embed(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  ASSIGN_OR_RETURN(Job job, read_job(fields, context, "input"));
  ASSIGN_OR_RETURN(const JsonValue input, fields.require("input"));
  std::string_view text;
  job.single = input.get(text) == simdjson::SUCCESS;
  if (job.single) {
    job.inputs.emplace_back(std::string(text));
  } else {
    ASSIGN_OR_RETURN(job.inputs, read_texts(input, "input", context.options.max_inputs));
  }
  return job;
}

absl::StatusOr<Job> parse_ollama_embeddings(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  ASSIGN_OR_RETURN(Job job, read_job(fields, context, "prompt"));
  job.single = true;
  ASSIGN_OR_RETURN(std::string text, fields.require_text("prompt"));
  job.inputs.emplace_back(std::move(text));
  return job;
}

}  // namespace bouquet::ivy
