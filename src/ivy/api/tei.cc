// TEI's replies, errors and routes.
#include "ivy/api/tei.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/json_writer.h"
#include "base/version.h"
#include "ivy/api/encode.h"
#include "ivy/api/score.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kEmbed = R"({"type":"object","required":["inputs"],"properties":{
"model":{"type":"string","description":"one of several models"},
"inputs":{"description":"a text, a list of texts, token ids, or lists of token ids"},
"truncate":{"type":"boolean"},"truncation_direction":{"type":"string","enum":["Left","Right"]},
"prompt_name":{"type":"string"},"normalize":{"type":"boolean","default":true},
"dimensions":{"type":"integer","minimum":1}}})";
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

// Parses, runs, and encodes with write(result, json).
template <class Write>
void answer(const ApiContext& context, ApiCall call, Job job, Write write) {
  http::Request request;  // what the headers need of it
  request.received = call.request.received;
  run_job(context, std::move(call), std::move(job), [request, write](const JobResult& result) {
    JsonWriter json;
    write(result, &json);
    return tei_reply(request, std::move(json), result);
  });
}

void write_embeddings(const JobResult& result, JsonWriter* json) {
  const auto row = static_cast<size_t>(result.row_size);
  json->reserve(result.values.size() * JsonWriter::kFloatBytes + 2);
  json->begin_array();
  for (size_t i = 0; i * row < result.values.size(); ++i) json->floats({result.row(i), row});
  json->end_array();
}

void embed(const ApiContext& context, ApiCall call) {
  absl::StatusOr<Job> job = parse_tei_embed(*call.body, context);
  if (!job.ok()) return fail(call, job.status());
  answer(context, std::move(call), *std::move(job), write_embeddings);
}

// Dot products of unit vectors with the last one.
void write_similarities(const JobResult& result, JsonWriter* json) {
  const auto row = static_cast<size_t>(result.row_size);
  const size_t sentences = result.values.size() / row - 1;
  json->begin_array();
  for (size_t i = 0; i < sentences; ++i) {
    double dot = 0;
    for (size_t k = 0; k < row; ++k) dot += static_cast<double>(result.row(i)[k]) * result.row(sentences)[k];
    json->number(static_cast<float>(dot));
  }
  json->end_array();
}

void similarity(const ApiContext& context, ApiCall call) {
  absl::StatusOr<Job> job = parse_tei_similarity(*call.body, context);
  if (!job.ok()) return fail(call, job.status());
  answer(context, std::move(call), *std::move(job), write_similarities);
}

void rerank_texts(const ApiContext& context, ApiCall call) {
  absl::StatusOr<TeiScores> parsed = parse_tei_rerank(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  Job job = std::move(parsed->job);
  std::shared_ptr<const std::vector<Input>> texts;
  if (parsed->return_text) texts = std::make_shared<const std::vector<Input>>(job.inputs);
  answer(context, std::move(call), std::move(job),
         [raw = parsed->raw_scores, texts](const JobResult& result, JsonWriter* json) {
           json->begin_array();
           for (const Ranked& item : rank(result, raw)) {
             json->begin_object().key("index").number(static_cast<int64_t>(item.index)).key("score").number(item.score);
             if (texts) json->key("text").string(std::get<std::string>((*texts)[item.index]));
             json->end_object();
           }
           json->end_array();
         });
}

// One input's labels, best first.
void write_labels(std::span<const float> logits, const std::vector<std::string>& labels, bool raw, JsonWriter* json) {
  std::vector<double> scores(logits.begin(), logits.end());
  if (!raw && scores.size() == 1) scores[0] = sigmoid(scores[0]);
  if (!raw && scores.size() > 1) softmax(scores);
  std::vector<size_t> order(scores.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return logits[a] > logits[b]; });
  json->begin_array();
  for (const size_t i : order) {
    json->begin_object().key("score").number(scores[i]).key("label").string(labels[i]).end_object();
  }
  json->end_array();
}

void predict(const ApiContext& context, ApiCall call) {
  absl::StatusOr<TeiScores> parsed = parse_tei_predict(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  Job job = std::move(parsed->job);
  const bool single = job.single;
  const ModelInfo& model = context.gateway->model();
  answer(context, std::move(call), std::move(job),
         [raw = parsed->raw_scores, single, &model](const JobResult& result, JsonWriter* json) {
           const auto row = static_cast<size_t>(result.row_size);
           if (single) return write_labels({result.row(0), row}, model.labels, raw, json);
           json->begin_array();
           for (size_t i = 0; i * row < result.values.size(); ++i) {
             write_labels({result.row(i), row}, model.labels, raw, json);
           }
           json->end_array();
         });
}

void write_token(const tokenizer::Tokenizer& tokenizer, const tokenizer::Encoding& encoding, size_t i,
                 std::string_view text, JsonWriter* json) {
  const tokenizer::Offset offset = encoding.offsets[i];
  const bool special = encoding.special[i] != 0;
  json->begin_object().key("id").number(int64_t{encoding.ids[i]}).key("text");
  json->string(special ? tokenizer.id_to_token(encoding.ids[i]) : text.substr(offset.begin, offset.end - offset.begin));
  json->key("special").boolean(special);
  special ? json->key("start").null() : json->key("start").number(int64_t{offset.begin});
  special ? json->key("stop").null() : json->key("stop").number(int64_t{offset.end});
  json->end_object();
}

void tokenize(const ApiContext& context, ApiCall call) {
  absl::StatusOr<Job> job = parse_tei_tokenize(*call.body, context);
  if (!job.ok()) return fail(call, job.status());
  const tokenizer::Tokenizer& tokenizer = context.gateway->tokenizer();
  answer(context, std::move(call), *std::move(job), [&tokenizer](const JobResult& result, JsonWriter* json) {
    json->begin_array();
    for (size_t i = 0; i < result.encodings.size(); ++i) {
      json->begin_array();
      const tokenizer::Encoding& encoding = result.encodings[i];
      for (size_t k = 0; k < encoding.ids.size(); ++k) write_token(tokenizer, encoding, k, result.texts[i], json);
      json->end_array();
    }
    json->end_array();
  });
}

void decode_ids(const ApiContext& context, ApiCall call) {
  absl::StatusOr<Job> job = parse_tei_decode(*call.body, context);
  if (!job.ok()) return fail(call, job.status());
  answer(context, std::move(call), *std::move(job), [](const JobResult& result, JsonWriter* json) {
    json->begin_array();
    for (const std::string& text : result.texts) json->string(text);
    json->end_array();
  });
}

void write_model_type(const ModelInfo& model, JsonWriter* json) {
  json->begin_object();
  if (model.embeds) {
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
    {"POST", "/embed", embed, tei_error, "Embed texts (TEI)", kEmbed, kJson, "", false, Answers::kModel},
    {"POST", "/rerank", rerank_texts, tei_error, "Rank texts by relevance to a query (TEI)", kRerank, kJson, "texts",
     false, Answers::kModel},
    {"POST", "/predict", predict, tei_error, "Classify texts or pairs (TEI)", kPredict, kJson, "", false,
     Answers::kModel},
    {"POST", "/similarity", similarity, tei_error, "Cosine of a text with others (TEI)", kSimilarity, kJson, "", false,
     Answers::kModel},
    {"POST", "/tokenize", tokenize, tei_error, "Texts to tokens (TEI)", kTokenize, kJson, "", false, Answers::kModel},
    {"POST", "/decode", decode_ids, tei_error, "Token ids to texts (TEI)", kDecode, kJson, "", false, Answers::kModel},
    {"GET", "/info", info, tei_error, "What the server runs (TEI)", "", kJson, "", false, Answers::kModel},
};

}  // namespace

std::span<const Route> tei_routes() { return kRoutes; }

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
