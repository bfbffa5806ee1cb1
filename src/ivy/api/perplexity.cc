// Documents as lists of chunks; a list of vectors for each.
#include "ivy/api/perplexity.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json_writer.h"
#include "base/status.h"
#include "ivy/api/inputs.h"
#include "ivy/api/openai.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr size_t kMostInputs = 512;
constexpr size_t kMostChunks = 16'000;  // of all documents
constexpr int64_t kLeastDimensions = 128;

constexpr std::string_view kRequest = R"({"type":"object","required":["input"],"properties":{
"input":{"type":"array","description":"documents, each a list of its chunks","maxItems":512,"items":{"type":"array",
"items":{"type":"string","minLength":1}}},"model":{"type":"string"},
"encoding_format":{"type":"string","enum":["base64_int8","base64_binary","float","base64"],"default":"base64_int8"},
"dimensions":{"type":"integer","minimum":1},"normalize":{"type":"boolean","default":true,"description":"of floats"},
"priority":{"type":"string","enum":["online","bulk"]}}})";

bool is_perplexitys(VectorFormat format) {
  return format == VectorFormat::kBase64Int8 || format == VectorFormat::kBase64Binary;
}

absl::StatusOr<VectorFormat> read_format(const Fields& fields) {
  ASSIGN_OR_RETURN(const auto name, fields.text("encoding_format"));
  if (!name || *name == "base64_int8") return VectorFormat::kBase64Int8;
  if (*name == "base64_binary") return VectorFormat::kBase64Binary;
  if (*name == "float") return VectorFormat::kFloat;
  if (*name == "base64") return VectorFormat::kBase64;
  return invalid_input("encoding_format",
                       absl::StrCat("encoding_format must be \"base64_int8\", \"base64_binary\", \"float\" or "
                                    "\"base64\", but it is \"",
                                    *name, "\""));
}

absl::Status too_many(size_t most, std::string_view what) {
  return invalid_input("input", absl::StrCat("input has more than the ", most, " ", std::string(what),
                                             " that this server takes at once"));
}

absl::Status read_documents(JsonValue value, size_t most, Job* job) {
  simdjson::dom::array documents;
  if (value.get(documents) != simdjson::SUCCESS) return wrong_type("input", "a list of lists of strings", value);
  size_t chunks = 0;
  for (const JsonValue document : documents) {
    if (job->inputs.size() == most) return too_many(most, "documents");
    const std::string name = absl::StrCat("input[", job->inputs.size(), "]");
    ASSIGN_OR_RETURN(std::vector<Input> texts, read_texts(document, name, kMostChunks));
    chunks += texts.size();
    if (chunks > kMostChunks) return too_many(kMostChunks, "chunks");
    ChunkedText chunked;
    for (Input& text : texts) chunked.push_back(std::get<std::string>(std::move(text)));
    job->inputs.emplace_back(std::move(chunked));
  }
  return job->inputs.empty() ? empty_input("input", "input is empty") : absl::OkStatus();
}

void write_document(const ContextRequest& request, QuantRule rule, const JobResult& result, size_t first, size_t count,
                    JsonWriter* json) {
  json->begin_array();
  for (size_t i = 0; i < count; ++i) {
    json->begin_object().key("object").string("embedding").key("index").number(static_cast<int64_t>(i));
    const std::span<const float> row(result.row(first + i), static_cast<size_t>(result.row_size));
    write_vector(row, request.format, rule, &json->key("embedding"));
    json->end_object();
  }
  json->end_array();
}

http::Response context_reply(const ContextRequest& request, QuantRule rule, const JobResult& result) {
  JsonWriter json;
  json.begin_object().key("object").string("list").key("data").begin_array();
  size_t first = 0;
  for (size_t i = 0; i < result.row_counts.size(); ++i) {
    const auto count = static_cast<size_t>(result.row_counts[i]);
    json.begin_object().key("object").string("list").key("index").number(static_cast<int64_t>(i)).key("data");
    write_document(request, rule, result, first, count, &json);
    json.end_object();
    first += count;
  }
  json.end_array().key("model").string(request.model);
  write_usage(result, &json.key("usage"));
  json.end_object();
  return json_reply(std::move(json).str(), result);
}

void contextualized(const ApiContext& context, ApiCall call) {
  absl::StatusOr<ContextRequest> parsed = parse_perplexity_context(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  const QuantRule rule = rule_of(context.gateway->model().card);
  std::vector<Job> jobs = jobs_for(std::move(parsed->job), {{"", parsed->format}}, rule);  // one format, so one job
  run_job(
      context, std::move(call), std::move(jobs.front()),
      [request = *std::move(parsed), rule](const JobResult& result) { return context_reply(request, rule, result); });
}

constexpr Route kRoutes[] = {
    {"POST", "/v1/contextualizedembeddings", contextualized, openai_error,
     "Embed chunks within their documents (Perplexity)", kRequest, "application/json", "", false},
};

}  // namespace

std::span<const Route> perplexity_routes() { return kRoutes; }

absl::Status check_perplexity(VectorFormat format, const Job& job, const tulip::ModelCard& card) {
  if (!is_perplexitys(format) || card.dimensions == 0) return absl::OkStatus();
  if (job.inputs.size() > kMostInputs) return too_many(kMostInputs, "inputs");
  const int64_t dimensions = job.options.dimensions.value_or(card.dimensions);
  const int64_t least = card.dimensions >= kLeastDimensions ? kLeastDimensions : 1;
  if (dimensions < least) {
    return invalid_input(
        "dimensions", absl::StrCat("dimensions is ", dimensions, ", but must be from ", least, " to ", card.dimensions,
                                   " with the encodings base64_int8 and base64_binary"));
  }
  if (format == VectorFormat::kBase64Binary && dimensions % 8 != 0) {
    return invalid_input(
        "dimensions", absl::StrCat("dimensions is ", dimensions, ", but base64_binary needs a number that 8 divides"));
  }
  return absl::OkStatus();
}

absl::StatusOr<ContextRequest> parse_perplexity_context(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  ContextRequest out;
  out.job.task = Task::kContext;
  RETURN_IF_ERROR(fields.text("model").status());  // it has been read: of interest is that it is a text
  out.model = context.model;
  out.job.options.prompt_name = context.prompt;
  ASSIGN_OR_RETURN(const JsonValue input, fields.require("input"));
  RETURN_IF_ERROR(read_documents(input, std::min(kMostInputs, context.options.max_inputs), &out.job));
  ASSIGN_OR_RETURN(out.format, read_format(fields));
  ASSIGN_OR_RETURN(out.job.options.dimensions, fields.integer("dimensions"));
  ASSIGN_OR_RETURN(const auto normalize, fields.boolean("normalize"));
  out.job.options.normalize = normalize.value_or(true);
  ASSIGN_OR_RETURN(out.job.options.lane, read_lane(fields));
  RETURN_IF_ERROR(check_perplexity(out.format, out.job, context.gateway->model().card));
  return out;
}

}  // namespace bouquet::ivy
