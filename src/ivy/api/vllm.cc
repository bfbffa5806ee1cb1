// vLLM's replies, errors and routes.
#include "ivy/api/vllm.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json_writer.h"
#include "ivy/api/formats.h"
#include "ivy/api/score.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kScore = R"({"type":"object","properties":{"model":{"type":"string"},
"text_1":{"description":"a text or a list"},"text_2":{"description":"a text or a list"},
"queries":{"description":"in place of text_1"},"documents":{"description":"in place of text_2"},
"use_activation":{"type":"boolean","default":true,"description":"false: the logit"},
"truncate":{"type":"boolean"},"priority":{"type":"string","enum":["online","bulk"]}}})";
constexpr std::string_view kClassify = R"({"type":"object","required":["input"],"properties":{"model":{"type":"string"},
"input":{"description":"a text, a list of texts, token ids, or lists of token ids"},
"use_activation":{"type":"boolean","default":true,"description":"false: the logits"},"truncate":{"type":"boolean"},
"priority":{"type":"string","enum":["online","bulk"]}}})";
constexpr std::string_view kPooling = R"({"type":"object","required":["input"],"properties":{"model":{"type":"string"},
"input":{"description":"a text, a list of texts, token ids, or lists of token ids"},
"task":{"type":"string","enum":["embed","token_embed","classify"],"description":"default: what the model is for"},
"encoding_format":{"type":"string","enum":["float","base64"],"default":"float"},
"input_type":{"type":"string","enum":["query","document"],"description":"how a model for late interaction prepares it"},
"dimensions":{"type":"integer","minimum":1},"normalize":{"type":"boolean","default":true,"description":"of embed"},
"use_activation":{"type":"boolean","default":true,"description":"false: neither squashed nor normalised"},
"truncate":{"type":"boolean"},"priority":{"type":"string","enum":["online","bulk"]}}})";
constexpr std::string_view kTokenize = R"({"type":"object","required":["prompt"],"properties":{
"model":{"type":"string"},"prompt":{"type":"string"},"add_special_tokens":{"type":"boolean","default":true},
"return_token_strs":{"type":"boolean","default":false}}})";
constexpr std::string_view kDetokenize = R"({"type":"object","required":["tokens"],"properties":{
"model":{"type":"string"},"tokens":{"type":"array","items":{"type":"integer"}}}})";

std::string_view type_of(int status) {
  switch (status) {
    case 401:
      return "AuthenticationError";
    case 404:
      return "NotFoundError";
    case 429:
      return "RateLimitError";
    default:
      return status < 500 ? "BadRequestError" : "InternalServerError";
  }
}

// What goes around the items of a reply.
struct Envelope {
  std::string id;
  std::string model;
};

Envelope envelope(std::string_view prefix, const ApiContext& context, const ApiCall& call) {
  return {absl::StrCat(std::string(prefix), call.request.head.id), context.model};
}

// write(index, json) for each of the items, which it opens with their index.
template <class Write>
http::Response list_reply(const Envelope& envelope, size_t count, const JobResult& result, Write write) {
  JsonWriter json;
  json.reserve(result.values.size() * JsonWriter::kFloatBytes + 256);
  json.begin_object().key("id").string(envelope.id).key("object").string("list");
  json.key("created").number(static_cast<int64_t>(std::time(nullptr))).key("model").string(envelope.model);
  json.key("data").begin_array();
  for (size_t i = 0; i < count; ++i) {
    json.begin_object().key("index").number(static_cast<int64_t>(i));
    write(i, &json);
    json.end_object();
  }
  json.end_array();
  write_usage(result, &json.key("usage"));
  json.end_object();
  return json_reply(std::move(json).str(), result);
}

void score(const ApiContext& context, ApiCall call) {
  absl::StatusOr<VllmScore> parsed = parse_vllm_score(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  Job job = std::move(parsed->job);
  const Envelope around = envelope("score-", context, call);
  const bool vectors = job.task == Task::kEmbed;
  const auto score_of = [pairs = parsed->pairs, one = parsed->queries == 1, raw = parsed->raw, vectors](
                            const JobResult& result, size_t i) {
    if (vectors) return cosine(result, i, pairs + (one ? 0 : i));
    const double logit = result.row(i)[0];
    return raw ? logit : sigmoid(logit);
  };
  run_job(context, std::move(call), std::move(job), [around, pairs = parsed->pairs, score_of](const JobResult& result) {
    return list_reply(around, pairs, result, [&](size_t i, JsonWriter* json) {
      json->key("object").string("score").key("score").number(score_of(result, i));
    });
  });
}

void write_numbers(const std::vector<double>& numbers, JsonWriter* json) {
  json->begin_array();
  for (const double number : numbers) json->number(number);
  json->end_array();
}

std::span<const float> row_of(const JobResult& result, size_t row) {
  return {result.row(row), static_cast<size_t>(result.row_size)};
}

void write_class(const JobResult& result, size_t row, bool raw, const std::vector<std::string>& labels,
                 JsonWriter* json) {
  const std::vector<double> values = probabilities(row_of(result, row), raw);
  const auto best = std::max_element(values.begin(), values.end()) - values.begin();
  json->key("label").string(labels[static_cast<size_t>(best)]);
  write_numbers(values, &json->key("probs"));
  json->key("num_classes").number(static_cast<int64_t>(values.size()));
}

void classify(const ApiContext& context, ApiCall call) {
  absl::StatusOr<VllmPooling> parsed = parse_vllm_classify(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  Job job = std::move(parsed->job);
  const Envelope around = envelope("classify-", context, call);
  const ModelInfo& model = context.gateway->model();
  run_job(context, std::move(call), std::move(job), [around, raw = parsed->raw, &model](const JobResult& result) {
    return list_reply(around, rows_of(result), result,
                      [&](size_t i, JsonWriter* json) { write_class(result, i, raw, model.labels, json); });
  });
}

// All vectors of an input's tokens: a list of lists, or the bytes of all.
void write_tokens(const JobResult& result, size_t first, size_t count, VectorFormat format, JsonWriter* json) {
  if (format != VectorFormat::kBase64) return write_rows(result, first, count, json);
  write_vector({result.row(first), count * static_cast<size_t>(result.row_size)}, format, QuantRule::kUnit, json);
}

http::Response pooling_reply(const Envelope& around, Task task, bool raw, VectorFormat format,
                             const JobResult& result) {
  size_t first = 0;
  const size_t inputs = result.row_counts.empty() ? rows_of(result) : result.row_counts.size();
  return list_reply(around, inputs, result, [&](size_t i, JsonWriter* json) {
    json->key("object").string("pooling").key("data");
    if (task == Task::kClassify) return write_numbers(probabilities(row_of(result, i), raw), json);
    if (task == Task::kEmbed) {
      return write_vector(row_of(result, i), format, QuantRule::kUnit, json);
    }
    const auto count = static_cast<size_t>(result.row_counts[i]);
    write_tokens(result, first, count, format, json);
    first += count;
  });
}

void pooling(const ApiContext& context, ApiCall call) {
  absl::StatusOr<VllmPooling> parsed = parse_vllm_pooling(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  Job job = std::move(parsed->job);
  const Envelope around = envelope("pool-", context, call);
  const Task task = job.task;
  run_job(context, std::move(call), std::move(job),
          [around, task, raw = parsed->raw, format = parsed->format](const JobResult& result) {
            return pooling_reply(around, task, raw, format, result);
          });
}

void tokenize(const ApiContext& context, ApiCall call) {
  absl::StatusOr<VllmTokenize> parsed = parse_vllm_tokenize(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  Job job = std::move(parsed->job);
  const Gateway& gateway = *context.gateway;
  run_job(context, std::move(call), std::move(job), [strings = parsed->strings, &gateway](const JobResult& result) {
    const std::vector<int32_t>& ids = result.encodings[0].ids;
    JsonWriter json;
    json.begin_object().key("count").number(static_cast<int64_t>(ids.size()));
    json.key("max_model_len").number(int64_t{gateway.max_length()}).key("tokens").begin_array();
    for (const int32_t id : ids) json.number(int64_t{id});
    json.end_array().key("token_strs");
    if (!strings) json.null();
    if (strings) json.begin_array();
    for (size_t i = 0; strings && i < ids.size(); ++i) json.string(gateway.tokenizer().id_to_token(ids[i]));
    if (strings) json.end_array();
    json.end_object();
    return json_reply(std::move(json).str(), result);
  });
}

void detokenize(const ApiContext& context, ApiCall call) {
  absl::StatusOr<Job> job = parse_vllm_detokenize(*call.body, context);
  if (!job.ok()) return fail(call, job.status());
  run_job(context, std::move(call), *std::move(job), [](const JobResult& result) {
    JsonWriter json;
    json.begin_object().key("prompt").string(result.texts[0]).end_object();
    return json_reply(std::move(json).str(), result);
  });
}

constexpr std::string_view kJson = "application/json";
constexpr Route kRoutes[] = {
    {"POST", "/score", score, vllm_error, "Score texts against texts (vLLM)", kScore, kJson, "", false},
    {"POST", "/v1/score", score, vllm_error, "Score texts against texts (vLLM)", kScore, kJson, "", false},
    {"POST", "/classify", classify, vllm_error, "Classify texts (vLLM)", kClassify, kJson, "", false},
    {"POST", "/pooling", pooling, vllm_error, "What the model gives for texts (vLLM)", kPooling, kJson, "", false},
    {"POST", "/tokenize", tokenize, vllm_error, "A text to token ids (vLLM)", kTokenize, kJson, "prompt", false},
    {"POST", "/detokenize", detokenize, vllm_error, "Token ids to a text (vLLM)", kDetokenize, kJson, "", false},
};

}  // namespace

std::span<const Route> vllm_routes() { return kRoutes; }

http::Response vllm_error(const absl::Status& status) {
  http::Response response;
  response.status = http_status_of(status);
  const std::string field = field_of(status);
  JsonWriter json;
  json.begin_object().key("error").begin_object();
  json.key("message").string(std::string_view(status.message().data(), status.message().size()));
  json.key("type").string(type_of(response.status)).key("param");
  field.empty() ? json.null() : json.string(field);
  json.key("code").number(int64_t{response.status}).end_object().end_object();
  response.body = std::move(json).str();
  return response;
}

}  // namespace bouquet::ivy
