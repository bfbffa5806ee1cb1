// Thin layers over TEI's and the other dialects.
#include "ivy/api/hosts.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json_writer.h"
#include "base/status.h"
#include "ivy/api/openai.h"
#include "ivy/api/rerank.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kVertex = R"({"type":"object","required":["instances"],"properties":{
"instances":{"type":"array","items":{"type":"object","description":"a body of POST /"}}}})";
constexpr std::string_view kInvocation =
    R"({"type":"object","description":"a body of POST /, /v1/embeddings or /v1/rerank"})";

absl::Status within_instance(size_t index, const absl::Status& status) {
  const std::string name = absl::StrCat("instances[", index, "]");
  absl::Status out(status.code(), absl::StrCat(name, ": ", status.message()));
  status.ForEachPayload([&](absl::string_view type, const absl::Cord& payload) { out.SetPayload(type, payload); });
  return out;
}

void vertex(const ApiContext& context, ApiCall call) {
  absl::StatusOr<std::vector<TeiWork>> parsed = parse_vertex(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  std::vector<Job> jobs;
  for (TeiWork& work : *parsed) jobs.push_back(std::move(work.job));
  const auto works = std::make_shared<const std::vector<TeiWork>>(*std::move(parsed));
  const auto encode = [works](std::span<const JobResult> results) {
    JsonWriter json;
    JobResult sum;
    json.begin_object().key("predictions").begin_array();
    for (size_t i = 0; i < results.size(); ++i) {
      (*works)[i].write(results[i], &json);
      sum.tokens += results[i].tokens;
      sum.truncated += results[i].truncated;
    }
    json.end_array().end_object();
    return json_reply(std::move(json).str(), sum);
  };
  run_jobs(context, std::move(call), std::move(jobs), encode, within_instance);
}

void ping(const ApiContext& context, ApiCall call) { call.respond(empty_reply(context.catalog.ready() ? 200 : 503)); }

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kInvoke = "What the model is for, in the dialect of the body (SageMaker)";
constexpr Route kRoutes[] = {
    {"POST", "/invocations", tei_root, tei_error, kInvoke, kInvocation, kJson, "inputs", false, Answers::kModel},
    {"POST", "/invocations", tei_root, tei_error, kInvoke, kInvocation, kJson, "texts", false, Answers::kModel},
    {"POST", "/invocations", openai_embeddings, openai_error, kInvoke, kInvocation, kJson, "input", false},
    {"POST", "/invocations", rerank_documents, rerank_error, kInvoke, kInvocation, kJson, "documents", false},
    {"GET", "/ping", ping, tei_error, "Ready (SageMaker)", "", kJson, "", true, Answers::kServer},
    {"POST", "/vertex", vertex, tei_error, "What the model is for, for each instance (Vertex AI)", kVertex, kJson, "",
     false, Answers::kModel},
};

}  // namespace

std::span<const Route> hosts_routes() { return kRoutes; }

absl::StatusOr<std::vector<TeiWork>> parse_vertex(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  ASSIGN_OR_RETURN(const JsonValue value, fields.require("instances"));
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) return wrong_type("instances", "a list of objects", value);
  std::vector<TeiWork> works;
  size_t inputs = 0;
  for (const JsonValue instance : list) {
    absl::StatusOr<TeiWork> work = tei_any(Document::inside(instance), context);
    if (!work.ok()) return within_instance(works.size(), work.status());
    inputs += work->job.inputs.size();
    if (inputs > context.options.max_inputs) {
      return invalid_input("instances", absl::StrCat("instances have more than the ", context.options.max_inputs,
                                                     " inputs that this server takes at once"));
    }
    works.push_back(*std::move(work));
  }
  if (works.empty()) return empty_input("instances", "instances is empty");
  return works;
}

}  // namespace bouquet::ivy
