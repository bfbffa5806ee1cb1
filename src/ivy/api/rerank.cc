// A query against documents; results sorted by relevance.
#include "ivy/api/rerank.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json_writer.h"
#include "base/status.h"
#include "ivy/api/cohere.h"
#include "ivy/api/inputs.h"
#include "ivy/api/score.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kRequest = R"({"type":"object","required":["query","documents"],"properties":{
"model":{"type":"string"},"query":{"type":"string"},
"documents":{"type":"array","items":{"oneOf":[{"type":"string"},
{"type":"object","required":["text"],"properties":{"text":{"type":"string"}}}]}},
"top_n":{"type":"integer","minimum":1},"return_documents":{"type":"boolean","default":false},
"raw_scores":{"type":"boolean","default":false,"description":"the logit instead of the probability"},
"instruction":{"type":"string","description":"of rerankers that take one"},
"max_tokens_per_doc":{"type":"integer","minimum":1},"truncate":{"type":"boolean"},
"priority":{"type":"string","enum":["online","bulk"]}}})";

absl::Status read_documents(const Fields& fields, size_t most, Job* job) {
  ASSIGN_OR_RETURN(const JsonValue value, fields.require("documents"));
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) return wrong_type("documents", "a list", value);
  for (const JsonValue document : list) {
    const std::string name = absl::StrCat("documents[", job->inputs.size(), "]");
    if (job->inputs.size() == most) {
      return invalid_input(
          "documents", absl::StrCat("documents has more than the ", most, " entries that this server takes at once"));
    }
    std::string_view text;
    if (document.get(text) == simdjson::SUCCESS) {
      job->inputs.emplace_back(std::string(text));
    } else if (document.is<simdjson::dom::object>()) {
      ASSIGN_OR_RETURN(const Fields object, Fields::of(document, name));
      ASSIGN_OR_RETURN(std::string its_text, object.require_text("text"));
      job->inputs.emplace_back(std::move(its_text));
    } else {
      return wrong_type(name, "a string or an object with \"text\"", document);
    }
  }
  if (job->inputs.empty()) return empty_input("documents", "documents is empty");
  return absl::OkStatus();
}

absl::StatusOr<int64_t> read_positive(const Fields& fields, std::string_view name) {
  ASSIGN_OR_RETURN(const auto number, fields.integer(name));
  if (number && (*number < 1 || *number > INT32_MAX)) {
    return invalid_input(name, absl::StrCat(std::string(name), " must be at least 1"));
  }
  return number.value_or(0);
}

using Texts = std::shared_ptr<const std::vector<Input>>;  // null unless they are to be returned

// How Cohere counts: a query with up to 100 documents is one.
int64_t search_units(const JobResult& result) { return (static_cast<int64_t>(result.values.size()) + 99) / 100; }

http::Response rerank_reply(const RerankRequest& request, const Texts& texts, const std::string& id,
                            std::string_view version, const JobResult& result) {
  std::vector<Ranked> ranked = rank(result, request.raw_scores);
  if (request.top_n > 0) ranked.resize(std::min(ranked.size(), request.top_n));
  JsonWriter json;
  json.begin_object().key("id").string(id).key("object").string("list").key("model").string(request.model);
  json.key("results").begin_array();
  for (const Ranked& item : ranked) {
    json.begin_object().key("index").number(static_cast<int64_t>(item.index));
    json.key("relevance_score").number(item.score);
    if (texts) {
      json.key("document").begin_object().key("text").string(std::get<std::string>((*texts)[item.index])).end_object();
    }
    json.end_object();
  }
  json.end_array().key("score_scale").string(scale_name(request.raw_scores)).key("meta");
  write_cohere_meta(version, "search_units", search_units(result), &json);
  write_usage(result, &json.key("usage"));
  json.end_object();
  http::Response response = json_reply(std::move(json).str(), result);
  response.headers.emplace_back("x-bouquet-score-scale", scale_name(request.raw_scores));
  return response;
}

constexpr Route kRoutes[] = {
    {"POST", "/v1/rerank", rerank_documents, rerank_error, "Rank documents by relevance to a query", kRequest,
     "application/json", "", false},
    {"POST", "/v2/rerank", rerank_documents, rerank_error, "Rank documents by relevance to a query", kRequest,
     "application/json", "", false},
    {"POST", "/rerank", rerank_documents, rerank_error, "Rank documents by relevance to a query", kRequest,
     "application/json", "documents", false},
};

}  // namespace

std::span<const Route> rerank_routes() { return kRoutes; }

void rerank_documents(const ApiContext& context, ApiCall call) {
  absl::StatusOr<RerankRequest> parsed = parse_rerank(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  Job job = std::move(parsed->job);
  const Texts texts = parsed->return_documents ? std::make_shared<const std::vector<Input>>(job.inputs) : nullptr;
  const std::string id = call.request.head.id;
  const std::string_view version = call.route->path == "/v2/rerank" ? "2" : "1";
  run_job(context, std::move(call), std::move(job),
          [request = *std::move(parsed), texts, id, version](const JobResult& result) {
            return rerank_reply(request, texts, id, version, result);
          });
}

http::Response rerank_error(const absl::Status& status) {
  const std::string field = field_of(status);
  http::Response response;
  response.status = http_status_of(status);
  JsonWriter json;
  json.begin_object().key("object").string("error");
  json.key("message").string(std::string_view(status.message().data(), status.message().size()));
  json.key("type").string(response.status < 500 ? "invalid_request_error" : "server_error").key("param");
  field.empty() ? json.null() : json.string(field);
  json.key("code").number(int64_t{response.status}).end_object();
  response.body = std::move(json).str();
  return response;
}

absl::StatusOr<RerankRequest> parse_rerank(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  RerankRequest out;
  out.job.task = Task::kScore;
  out.job.field = "documents";
  RETURN_IF_ERROR(fields.text("model").status());  // it has been read: of interest is that it is a text
  out.model = context.model;
  ASSIGN_OR_RETURN(out.job.query, fields.require_text("query"));
  RETURN_IF_ERROR(read_documents(fields, context.options.max_inputs, &out.job));
  ASSIGN_OR_RETURN(const int64_t top_n, read_positive(fields, "top_n"));
  out.top_n = static_cast<size_t>(top_n);
  ASSIGN_OR_RETURN(const int64_t per_document, read_positive(fields, "max_tokens_per_doc"));
  out.job.options.max_document_tokens = static_cast<int32_t>(per_document);
  ASSIGN_OR_RETURN(const auto raw, fields.boolean("raw_scores"));
  ASSIGN_OR_RETURN(const auto texts, fields.boolean("return_documents"));
  out.raw_scores = raw.value_or(false);
  out.return_documents = texts.value_or(false);
  ASSIGN_OR_RETURN(out.job.options.truncate, fields.boolean("truncate"));
  ASSIGN_OR_RETURN(out.job.options.lane, read_lane(fields));
  ASSIGN_OR_RETURN(auto instruction, fields.text("instruction"));
  if (instruction && !context.gateway->recipe()->rerank_template) {
    return invalid_input("instruction", "this model takes no instruction");
  }
  out.job.options.instruction = std::move(instruction).value_or("");
  return out;
}

}  // namespace bouquet::ivy
