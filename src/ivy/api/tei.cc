// TEI's replies, errors and routes.
#include "ivy/api/tei.h"

#include <chrono>
#include <utility>

#include "base/json_writer.h"
#include "base/version.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kEmbed = R"({"type":"object","required":["inputs"],"properties":{
"model":{"type":"string","description":"one of several models"},
"inputs":{"description":"a text, a list of texts, token ids, or lists of token ids"},
"truncate":{"type":"boolean"},"truncation_direction":{"type":"string","enum":["Left","Right"]},
"prompt_name":{"type":"string"},"normalize":{"type":"boolean","default":true},
"dimensions":{"type":"integer","minimum":1}}})";
constexpr std::string_view kRows = R"({"type":"object","required":["inputs"],"properties":{
"model":{"type":"string","description":"one of several models"},
"inputs":{"description":"a text, a list of texts, token ids, or lists of token ids"},
"truncate":{"type":"boolean"},"truncation_direction":{"type":"string","enum":["Left","Right"]},
"prompt_name":{"type":"string"}}})";
constexpr std::string_view kAny = R"({"type":"object","properties":{
"model":{"type":"string","description":"one of several models"},
"inputs":{"description":"as /embed, /predict or /embed_sparse take it"},
"query":{"type":"string"},"texts":{"type":"array","items":{"type":"string"}}}})";
constexpr std::string_view kRerank = R"({"type":"object","required":["query","texts"],"properties":{
"model":{"type":"string","description":"one of several models"},
"query":{"type":"string"},"texts":{"type":"array","items":{"type":"string"}},
"raw_scores":{"type":"boolean","default":false},"return_text":{"type":"boolean","default":false},
"truncate":{"type":"boolean"},"truncation_direction":{"type":"string","enum":["Left","Right"]}}})";
constexpr std::string_view kPredict = R"({"type":"object","required":["inputs"],"properties":{
"model":{"type":"string","description":"one of several models"},
"inputs":{"description":"a text, a pair [a, b], or a list of [a] and [a, b]"},
"raw_scores":{"type":"boolean","default":false},"truncate":{"type":"boolean"},
"truncation_direction":{"type":"string","enum":["Left","Right"]}}})";
constexpr std::string_view kSimilarity = R"({"type":"object","required":["inputs"],"properties":{
"model":{"type":"string","description":"one of several models"},
"inputs":{"type":"object","required":["source_sentence","sentences"],"properties":{
"source_sentence":{"type":"string"},"sentences":{"type":"array","items":{"type":"string"}}}},
"parameters":{"type":"object","properties":{"truncate":{"type":"boolean"},
"truncation_direction":{"type":"string","enum":["Left","Right"]},"prompt_name":{"type":"string"}}}}})";
constexpr std::string_view kTokenize = R"({"type":"object","required":["inputs"],"properties":{
"model":{"type":"string","description":"one of several models"},
"inputs":{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},
"add_special_tokens":{"type":"boolean","default":true},"prompt_name":{"type":"string"}}})";
constexpr std::string_view kDecode = R"({"type":"object","required":["ids"],"properties":{
"model":{"type":"string","description":"one of several models"},
"ids":{"description":"token ids, or lists of token ids"},
"skip_special_tokens":{"type":"boolean","default":true}}})";

struct TeiFault {
  int status;
  std::string_view type;
};

TeiFault fault_of_status(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      if (fault_of(status) == InputFault::kEmpty) return {400, "Empty"};
      return {fault_of(status) == InputFault::kMalformed ? 400 : 422, "Validation"};
    case absl::StatusCode::kFailedPrecondition:
      return {424, "Backend"};
    case absl::StatusCode::kResourceExhausted:
      return {429, "Overloaded"};
    case absl::StatusCode::kUnavailable:
      return {503, "Unhealthy"};
    default:
      return {http_status_of(status), http_status_of(status) < 500 ? "Validation" : "Backend"};
  }
}

http::Response tei_reply(const http::Request& request, JsonWriter json, const JobResult& result) {
  http::Response response = json_reply(std::move(json).str(), result);
  add_tei_headers(request, result, &response);
  return response;
}

// Reads the work, runs it, and writes its result.
template <absl::StatusOr<TeiWork> (*read)(const Document& body, const ApiContext& context)>
void answer(const ApiContext& context, ApiCall call) {
  absl::StatusOr<TeiWork> work = read(*call.body, context);
  if (!work.ok()) return fail(call, work.status());
  http::Request request;  // what the headers need of it
  request.received = call.request.received;
  Job job = std::move(work->job);
  run_job(context, std::move(call), std::move(job), [request, write = std::move(work->write)](const JobResult& result) {
    JsonWriter json;
    write(result, &json);
    return tei_reply(request, std::move(json), result);
  });
}

void write_model_type(const ModelInfo& model, JsonWriter* json) {
  json->begin_object();
  if (!model.classifies) {
    json->key("embedding").begin_object().key("pooling").string(model.card.pooling).end_object();
  } else {
    json->key(model.reranks ? "reranker" : "classifier").begin_object().key("id2label").begin_object();
    for (size_t i = 0; i < model.labels.size(); ++i) json->key(std::to_string(i)).string(model.labels[i]);
    json->end_object().key("label2id").begin_object();
    for (size_t i = 0; i < model.labels.size(); ++i) json->key(model.labels[i]).number(static_cast<int64_t>(i));
    json->end_object().end_object();
  }
  json->end_object();
}

void info(const ApiContext& context, ApiCall call) {
  const ModelInfo& model = context.gateway->model();
  JsonWriter json;
  json.begin_object().key("model_id").string(context.model).key("model_sha").null();
  json.key("model_dtype").string(model.card.dtype).key("model_type");
  write_model_type(model, &json);
  json.key("max_input_length").number(int64_t{context.gateway->max_length()});
  json.key("max_batch_tokens").number(int64_t{model.card.token_budget});
  json.key("max_client_batch_size").number(static_cast<int64_t>(context.options.max_inputs));
  json.key("auto_truncate").boolean(context.gateway->recipe()->truncate);
  json.key("version").string(kVersion).end_object();
  call.respond(json_reply(std::move(json).str(), {}));
}

constexpr std::string_view kJson = "application/json";
constexpr Route kRoutes[] = {
    {"POST", "/embed", answer<tei_embed>, tei_error, "Embed texts (TEI)", kEmbed, kJson, "", false, Answers::kModel},
    {"POST", "/embed_all", answer<tei_embed_all>, tei_error, "Embed each token of texts (TEI)", kRows, kJson, "", false,
     Answers::kModel},
    {"POST", "/embed_sparse", answer<tei_embed_sparse>, tei_error, "Weights of vocabulary entries (TEI)", kRows, kJson,
     "", false, Answers::kModel},
    {"POST", "/", tei_root, tei_error, "What the model is for: embed, predict or rank (TEI)", kAny, kJson, "", false,
     Answers::kModel},
    {"POST", "/rerank", answer<tei_rerank>, tei_error, "Rank texts by relevance to a query (TEI)", kRerank, kJson,
     "texts", false, Answers::kModel},
    {"POST", "/predict", answer<tei_predict>, tei_error, "Classify texts or pairs (TEI)", kPredict, kJson, "", false,
     Answers::kModel},
    {"POST", "/similarity", answer<tei_similarity>, tei_error, "Cosine of a text with others (TEI)", kSimilarity, kJson,
     "", false, Answers::kModel},
    {"POST", "/tokenize", answer<tei_tokenize>, tei_error, "Texts to tokens (TEI)", kTokenize, kJson, "inputs", false,
     Answers::kModel},
    {"POST", "/decode", answer<tei_decode>, tei_error, "Token ids to texts (TEI)", kDecode, kJson, "", false,
     Answers::kModel},
    {"GET", "/info", info, tei_error, "What the server runs (TEI)", "", kJson, "", false, Answers::kModel},
};

}  // namespace

std::span<const Route> tei_routes() { return kRoutes; }

void tei_root(const ApiContext& context, ApiCall call) { answer<tei_any>(context, std::move(call)); }

http::Response tei_error(const absl::Status& status) {
  const TeiFault fault = fault_of_status(status);
  JsonWriter json;
  json.begin_object().key("error").string(std::string_view(status.message().data(), status.message().size()));
  json.key("error_type").string(fault.type).end_object();
  http::Response response;
  response.status = fault.status;
  response.body = std::move(json).str();
  return response;
}

void add_tei_headers(const http::Request& request, const JobResult& result, http::Response* response) {
  const auto total = std::chrono::duration_cast<std::chrono::milliseconds>(http::Clock::now() - request.received);
  const auto milliseconds = [](uint64_t microseconds) { return std::to_string(microseconds / 1000); };
  const std::pair<const char*, std::string> headers[] = {
      {"x-compute-type", "bouquet"},
      {"x-compute-time", std::to_string(total.count())},
      {"x-total-time", std::to_string(total.count())},
      {"x-tokenization-time", milliseconds(result.times.tokenize_us)},
      {"x-queue-time", milliseconds(result.times.queue_us)},
      {"x-inference-time", milliseconds(result.times.compute_us)},
      {"x-compute-tokens", std::to_string(result.tokens)},
      {"x-compute-characters", std::to_string(result.text_bytes)},
  };
  response->headers.insert(response->headers.end(), std::begin(headers), std::end(headers));
}

}  // namespace bouquet::ivy
