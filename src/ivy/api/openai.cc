// OpenAI's requests, replies and errors, with the extras that other servers of this dialect know.
#include "ivy/api/openai.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json_writer.h"
#include "base/status.h"
#include "ivy/api/inputs.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kRequest = R"({"type":"object","required":["input"],"properties":{
"input":{"description":"a text, a list of texts, a list of token ids (one input), or a list of such lists","oneOf":[
{"type":"string"},{"type":"array","items":{"type":"string"}},{"type":"array","items":{"type":"integer"}},
{"type":"array","items":{"type":"array","items":{"type":"integer"}}}]},
"model":{"type":"string","description":"the model's name; NAME:PROMPT puts one of its prompts before each text"},
"encoding_format":{"type":"string","enum":["float","base64"],"default":"float"},
"embed_dtype":{"type":"string","enum":["float32","float16"],"default":"float32","description":"of base64"},
"dimensions":{"type":"integer","minimum":1},"user":{"type":"string"},
"truncate":{"type":"boolean","description":"false: refuse texts that are too long"},
"truncation_side":{"type":"string","enum":["left","right"]},
"prompt_name":{"type":"string"},"prompt":{"type":"string"},"input_type":{"type":"string"},
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

absl::StatusOr<VectorFormat> read_format(const Fields& fields) {
  ASSIGN_OR_RETURN(const auto format, fields.text("encoding_format"));
  ASSIGN_OR_RETURN(const auto dtype, fields.text("embed_dtype"));
  const std::string kind = format.value_or("float");
  if (kind == "base64_int8" || kind == "base64_binary") {
    return invalid_input("encoding_format",
                         absl::StrCat("this model has no quantised output, so encoding_format can't be ", kind));
  }
  if (kind != "float" && kind != "base64") {
    return invalid_input("encoding_format",
                         absl::StrCat("encoding_format must be \"float\" or \"base64\", but it is \"", kind, "\""));
  }
  const std::string type = dtype.value_or("float32");
  if (type != "float32" && type != "float" && type != "float16") {
    return invalid_input("embed_dtype", "embed_dtype must be \"float32\" or \"float16\"");
  }
  if (type == "float16" && kind != "base64") {
    return invalid_input("embed_dtype", "embed_dtype float16 needs encoding_format base64");
  }
  if (kind == "float") return VectorFormat::kFloat;
  return type == "float16" ? VectorFormat::kBase64Float16 : VectorFormat::kBase64;
}

// Explicit prompt fields go before the model's name, and that before input_type.
absl::Status read_prompt(const Fields& fields, const ApiContext& context, OpenaiEmbedding* out) {
  RETURN_IF_ERROR(fields.text("model").status());  // it has been read: of interest is that it is a text
  out->model = context.model;
  JobOptions& options = out->job.options;
  ASSIGN_OR_RETURN(options.prompt, fields.text("prompt"));
  ASSIGN_OR_RETURN(options.prompt_name, fields.text("prompt_name"));
  ASSIGN_OR_RETURN(const auto input_type, fields.text("input_type"));
  if (!options.prompt_name) options.prompt_name = context.prompt;
  // A model without prompts treats all types of input alike.
  if (!options.prompt_name && input_type && !context.gateway->recipe()->prompts.empty())
    options.prompt_name = input_type;
  return absl::OkStatus();
}

http::Response embedding_reply(const OpenaiEmbedding& request, const JobResult& result) {
  JsonWriter json;
  const auto row = static_cast<size_t>(result.row_size);
  json.reserve(result.values.size() * JsonWriter::kFloatBytes + 256);
  json.begin_object().key("object").string("list").key("data").begin_array();
  for (size_t i = 0; i * row < result.values.size(); ++i) {
    json.begin_object().key("object").string("embedding").key("index").number(static_cast<int64_t>(i));
    write_vector({result.row(i), row}, request.format, &json.key("embedding"));
    json.end_object();
  }
  json.end_array().key("model").string(request.model).key("usage").begin_object();
  json.key("prompt_tokens").number(result.tokens).key("total_tokens").number(result.tokens).end_object().end_object();
  return json_reply(std::move(json).str(), result);
}

void embeddings(const ApiContext& context, ApiCall call) {
  absl::StatusOr<OpenaiEmbedding> parsed = parse_openai_embedding(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  Job job = std::move(parsed->job);
  run_job(context, std::move(call), std::move(job),
          [request = *std::move(parsed)](const JobResult& result) { return embedding_reply(request, result); });
}

void write_strings(const std::vector<std::string>& strings, JsonWriter* json) {
  json->begin_array();
  for (const std::string& text : strings) json->string(text);
  json->end_array();
}

void write_details(const Gateway& gateway, JsonWriter* json) {
  const ModelInfo& model = gateway.model();
  std::vector<std::string> tasks, prompts;
  if (model.embeds) tasks.push_back("embed");
  if (model.reranks) tasks.push_back("rerank");
  if (model.classifies) tasks.push_back("classify");
  for (const auto& [name, text] : gateway.recipe()->prompts) prompts.push_back(name);
  json->key("max_model_len").number(int64_t{gateway.max_length()});
  json->key("dimensions").number(int64_t{model.card.dimensions}).key("pooling").string(model.card.pooling);
  write_strings(tasks, &json->key("tasks"));
  write_strings(prompts, &json->key("prompts"));
  write_strings(model.embeds ? std::vector<std::string>{"float", "base64"} : std::vector<std::string>{"score"},
                &json->key("outputs"));
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
    {"POST", "/v1/embeddings", embeddings, openai_error, "Embed texts", kRequest, "application/json", "", false},
    {"POST", "/embeddings", embeddings, openai_error, "Embed texts", kRequest, "application/json", "", false},
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
  RETURN_IF_ERROR(read_prompt(fields, context, &out));
  ASSIGN_OR_RETURN(out.format, read_format(fields));
  JobOptions& options = out.job.options;
  ASSIGN_OR_RETURN(options.dimensions, fields.integer("dimensions"));
  ASSIGN_OR_RETURN(options.truncate, fields.boolean("truncate"));
  ASSIGN_OR_RETURN(const auto normalize, fields.boolean("normalize"));
  options.normalize = normalize.value_or(true);
  ASSIGN_OR_RETURN(const auto side, fields.text("truncation_side"));
  if (side) {
    ASSIGN_OR_RETURN(options.truncation_side, read_side(*side, "truncation_side"));
  }
  ASSIGN_OR_RETURN(options.lane, read_lane(fields));
  ASSIGN_OR_RETURN(const auto user, fields.text("user"));  // no more than its type is of interest
  return out;
}

}  // namespace bouquet::ivy
