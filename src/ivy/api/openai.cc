// OpenAI's replies, errors and routes.
#include "ivy/api/openai.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json_writer.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kRequest = R"({"type":"object","required":["input"],"properties":{
"input":{"description":"a text, a list of texts, a list of token ids (one input), or a list of such lists","oneOf":[
{"type":"string"},{"type":"array","items":{"type":"string"}},{"type":"array","items":{"type":"integer"}},
{"type":"array","items":{"type":"array","items":{"type":"integer"}}},
{"type":"array","items":{"type":"object","required":["text"],"properties":{"text":{"type":"string"}}}}]},
"model":{"type":"string","description":"the model's name; NAME:PROMPT puts one of its prompts before each text"},
"encoding_format":{"type":"string","enum":["float","base64","base64_int8","base64_binary"],"default":"float"},
"embedding_type":{"description":"as Jina: goes before encoding_format; a list gives an object of all","oneOf":[
{"type":"string","enum":["float","base64","int8","uint8","binary","ubinary"]},
{"type":"array","items":{"type":"string","enum":["float","base64","int8","uint8","binary","ubinary"]}}]},
"embed_dtype":{"type":"string","enum":["float32","float16"],"default":"float32","description":"of base64"},
"dimensions":{"type":"integer","minimum":1},"user":{"type":"string"},
"truncate":{"type":"boolean","description":"false: refuse texts that are too long"},
"truncation_side":{"type":"string","enum":["left","right"]},
"prompt_name":{"type":"string"},"prompt":{"type":"string"},"input_type":{"type":"string"},
"task":{"type":"string","description":"as Jina: retrieval.query and the like; one of the model's prompts"},
"late_chunking":{"type":"boolean","default":false,"description":"as Jina: all texts are chunks of one document"},
"normalize":{"type":"boolean","default":true},
"priority":{"description":"online or bulk","type":"string","enum":["online","bulk"]}}})";

std::string_view type_of(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnauthenticated:
      return "authentication_error";
    case absl::StatusCode::kResourceExhausted:
      return "rate_limit_error";
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kCancelled:
      return "service_unavailable_error";
    default:
      return http_status_of(status) >= 500 ? "server_error" : "invalid_request_error";
  }
}

std::string_view code_of(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnauthenticated:
      return "invalid_api_key";
    case absl::StatusCode::kNotFound:
      return field_of(status) == "model" ? "model_not_found" : "not_found";
    case absl::StatusCode::kResourceExhausted:
      return "rate_limit_exceeded";
    case absl::StatusCode::kOutOfRange:
      return "request_too_large";
    default:
      return "";
  }
}

http::Response embedding_reply(const OpenaiEmbedding& request, QuantRule rule, std::span<const JobResult> results) {
  JsonWriter json;
  const JobResult& first = results.front();
  json.reserve(first.values.size() * JsonWriter::kFloatBytes + 256);
  json.begin_object().key("object").string("list").key("data").begin_array();
  for (size_t i = 0; i < rows_of(first); ++i) {
    json.begin_object().key("object").string("embedding").key("index").number(static_cast<int64_t>(i));
    json.key("embedding");
    if (request.formats.size() == 1) {
      write_row(request.formats.front().format, rule, results, i, &json);
    } else {
      write_by_name(request.formats, rule, results, i, &json);
    }
    json.end_object();
  }
  json.end_array().key("model").string(request.model);
  write_usage(first, &json.key("usage"));
  json.end_object();
  return json_reply(std::move(json).str(), first);
}

void write_strings(const std::vector<std::string>& strings, JsonWriter* json) {
  json->begin_array();
  for (const std::string& text : strings) json->string(text);
  json->end_array();
}

std::vector<std::string> outputs_of(const ModelInfo& model) {
  std::vector<std::string> outputs;
  if (model.embeds) {
    outputs = {"float", "base64", "base64_int8", "base64_binary", "int8", "uint8", "binary", "ubinary"};
  }
  if (model.classifies) outputs.push_back("score");
  if (model.sparse) outputs.push_back("sparse");
  return outputs;
}

void write_details(const Gateway& gateway, JsonWriter* json) {
  const ModelInfo& model = gateway.model();
  std::vector<std::string> tasks, prompts;
  if (model.embeds) tasks.push_back("embed");
  if (model.sparse) tasks.push_back("embed_sparse");
  if (model.tokens) tasks.push_back("embed_all");
  if (model.reranks) tasks.push_back("rerank");
  if (model.classifies) tasks.push_back("classify");
  for (const auto& [name, text] : gateway.recipe()->prompts) prompts.push_back(name);
  json->key("max_model_len").number(int64_t{gateway.max_length()});
  json->key("dimensions").number(int64_t{model.card.dimensions}).key("pooling").string(model.card.pooling);
  write_strings(tasks, &json->key("tasks"));
  write_strings(prompts, &json->key("prompts"));
  write_strings(outputs_of(model), &json->key("outputs"));
  write_strings(model.labels, &json->key("labels"));
  json->key("dtype").string(model.card.dtype).key("device").string(model.card.device);
}

// Of a model that no replica has told of, there is little to say.
void write_model(const std::string& id, const Offer& offer, JsonWriter* json) {
  json->begin_object().key("id").string(id).key("object").string("model").key("created").number(int64_t{0});
  json->key("owned_by").string("bouquet");
  write_strings(offer.aliases, &json->key("aliases"));
  if (offer.gateway) write_details(*offer.gateway, json);
  json->key("state").string(offer.ready() ? "ready" : "not ready").end_object();
}

void list_models(const ApiContext& context, ApiCall call) {
  JsonWriter json;
  json.begin_object().key("object").string("list").key("data").begin_array();
  for (const Offer& offer : context.catalog.offers()) {
    write_model(offer.name, offer, &json);
    if (!offer.gateway) continue;
    for (const auto& [prompt, text] : offer.gateway->recipe()->prompts) {
      write_model(absl::StrCat(offer.name, ":", prompt), offer, &json);
    }
  }
  json.end_array().end_object();
  call.respond(json_reply(std::move(json).str(), {}));
}

void one_model(const ApiContext& context, ApiCall call) {
  const absl::StatusOr<Catalog::Choice> choice = context.catalog.choose(call.rest);
  if (!choice.ok()) return fail(call, choice.status());
  JsonWriter json;
  write_model(call.rest, *choice->offer, &json);
  call.respond(json_reply(std::move(json).str(), {}));
}

constexpr Route kRoutes[] = {
    {"POST", "/v1/embeddings", openai_embeddings, openai_error, "Embed texts", kRequest, "application/json", "", false},
    {"POST", "/embeddings", openai_embeddings, openai_error, "Embed texts", kRequest, "application/json", "", false},
    {"POST", "/openai/deployments/{id}/embeddings", openai_embeddings, openai_error,
     "Embed texts (Azure: the deployment is the model's name)", kRequest, "application/json", "", false,
     Answers::kPathModel},
    {"GET", "/v1/models", list_models, openai_error, "List the models", "", "application/json", "", false,
     Answers::kServer},
    {"GET", "/v1/models/{id}", one_model, openai_error, "Describe a model", "", "application/json", "", false,
     Answers::kServer},
};

}  // namespace

std::span<const Route> openai_routes() { return kRoutes; }

http::Response openai_error(const absl::Status& status) {
  const auto text_or_null = [](JsonWriter& json, std::string_view text) {
    text.empty() ? json.null() : json.string(text);
  };
  JsonWriter json;
  json.begin_object().key("error").begin_object();
  json.key("message").string(std::string_view(status.message().data(), status.message().size()));
  json.key("type").string(type_of(status));
  text_or_null(json.key("param"), field_of(status));
  text_or_null(json.key("code"), code_of(status));
  json.end_object().end_object();
  http::Response response;
  response.status = http_status_of(status);
  response.body = std::move(json).str();
  return response;
}

void openai_embeddings(const ApiContext& context, ApiCall call) {
  absl::StatusOr<OpenaiEmbedding> parsed = parse_openai_embedding(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  const QuantRule rule = rule_of(context.gateway->model().card);
  std::vector<Job> jobs = jobs_for(std::move(parsed->job), parsed->formats, rule);
  run_jobs(context, std::move(call), std::move(jobs),
           [request = *std::move(parsed), rule](std::span<const JobResult> results) {
             return embedding_reply(request, rule, results);
           });
}

}  // namespace bouquet::ivy
