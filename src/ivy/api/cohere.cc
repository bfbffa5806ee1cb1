// Texts in; every asked-for encoding of all of them out.
#include "ivy/api/cohere.h"

#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/json_writer.h"
#include "base/status.h"
#include "ivy/api/inputs.h"
#include "ivy/api/prompts.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr std::string_view kRequest = R"({"type":"object","properties":{"model":{"type":"string"},
"texts":{"type":"array","items":{"type":"string"}},
"inputs":{"type":"array","description":"in place of texts","items":{"type":"object","required":["content"],
"properties":{"content":{"type":"array","minItems":1,"maxItems":1,"items":{"type":"object",
"properties":{"type":{"const":"text"},"text":{"type":"string"}}}}}}},
"input_type":{"type":"string","description":"search_document, search_query ...: one of the model's prompts"},
"embedding_types":{"type":"array","default":["float"],
"items":{"type":"string","enum":["float","int8","uint8","binary","ubinary","base64"]}},
"output_dimension":{"type":"integer","minimum":1},
"truncate":{"type":"string","enum":["NONE","START","END"],"default":"END"},
"priority":{"description":"online or bulk","type":"string","enum":["online","bulk"]}}})";

// [{"type": "text", "text": "..."}]
absl::StatusOr<std::string> read_content(JsonValue value, const std::string& field) {
  simdjson::dom::array parts;
  if (value.get(parts) != simdjson::SUCCESS) return wrong_type(field, "a list", value);
  if (parts.size() != 1) return invalid_input(field, absl::StrCat(field, " must hold exactly one text"));
  ASSIGN_OR_RETURN(const Fields part, Fields::of(parts.at(0), absl::StrCat(field, "[0]")));
  if (part.find("text")) return part.require_text("text");
  return invalid_input(absl::StrCat(field, "[0]"),
                       absl::StrCat(field, "[0] has no text: this server takes text, not images or audio"));
}

absl::Status read_contents(JsonValue value, size_t most, Job* job) {
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) return wrong_type("inputs", "a list of objects", value);
  for (const JsonValue element : list) {
    if (job->inputs.size() == most) {
      return invalid_input("inputs",
                           absl::StrCat("inputs has more than the ", most, " entries that this server takes at once"));
    }
    const std::string name = absl::StrCat("inputs[", job->inputs.size(), "]");
    ASSIGN_OR_RETURN(const Fields input, Fields::of(element, name));
    ASSIGN_OR_RETURN(const JsonValue content, input.require("content"));
    ASSIGN_OR_RETURN(std::string text, read_content(content, absl::StrCat(name, ".content")));
    job->inputs.emplace_back(std::move(text));
  }
  return job->inputs.empty() ? empty_input("inputs", "inputs is empty") : absl::OkStatus();
}

absl::Status read_texts_or_inputs(const Fields& fields, size_t most, Job* job) {
  if (fields.find("images")) {
    return invalid_input("images", "images can't be embedded: this server takes text, in texts or inputs");
  }
  const auto inputs = fields.find("inputs");
  if (inputs && fields.find("texts")) return invalid_input("inputs", "texts and inputs can't both be given");
  job->field = inputs ? "inputs" : "texts";
  if (inputs) return read_contents(*inputs, most, job);
  ASSIGN_OR_RETURN(const JsonValue texts, fields.require("texts"));
  ASSIGN_OR_RETURN(job->inputs, read_texts(texts, "texts", most));
  return absl::OkStatus();
}

// Unset: as the recipe says.
absl::Status read_truncate(const Fields& fields, JobOptions* options) {
  ASSIGN_OR_RETURN(const auto truncate, fields.text("truncate"));
  if (!truncate) return absl::OkStatus();
  const std::string side = absl::AsciiStrToUpper(*truncate);
  if (side != "NONE" && side != "START" && side != "END") {
    return invalid_input("truncate",
                         absl::StrCat("truncate must be NONE, START or END, but it is \"", *truncate, "\""));
  }
  options->truncate = side != "NONE";
  options->truncation_side = side == "START" ? tokenizer::TruncationSide::kLeft : tokenizer::TruncationSide::kRight;
  return absl::OkStatus();
}

absl::Status read_options(const Fields& fields, const ApiContext& context, JobOptions* options) {
  ASSIGN_OR_RETURN(const auto type, fields.text("input_type"));
  options->prompt_name = context.prompt;
  if (type && !options->prompt_name) {
    ASSIGN_OR_RETURN(options->prompt_name, prompt_for("input_type", *type, *context.gateway->recipe()));
  }
  RETURN_IF_ERROR(read_truncate(fields, options));
  if (fields.find("max_tokens")) {
    return invalid_input("max_tokens", "max_tokens is not supported: each text is cut where the model's own limit is");
  }
  ASSIGN_OR_RETURN(options->dimensions, fields.integer("output_dimension"));
  const int32_t most = context.gateway->model().card.dimensions;
  if (options->dimensions && most > 0 && (*options->dimensions < 1 || *options->dimensions > most)) {
    return invalid_input("output_dimension",
                         absl::StrCat("output_dimension is ", *options->dimensions, ", but must be from 1 to ", most));
  }
  ASSIGN_OR_RETURN(options->lane, read_lane(fields));
  return absl::OkStatus();
}

using Texts = std::shared_ptr<const std::vector<Input>>;

void write_embeddings(const CohereEmbedding& request, bool bare, QuantRule rule, std::span<const JobResult> results,
                      JsonWriter* json) {
  if (!bare) json->begin_object();
  for (const NamedFormat& format : request.formats) {
    if (!bare) json->key(format.name);
    json->begin_array();
    for (size_t i = 0; i < rows_of(results.front()); ++i) write_row(format.format, rule, results, i, json);
    json->end_array();
  }
  if (!bare) json->end_object();
}

// `version` of the API is 1 or 2.
void embed(const ApiContext& context, ApiCall call, std::string_view version) {
  absl::StatusOr<CohereEmbedding> parsed = parse_cohere_embed(*call.body, context);
  if (!parsed.ok()) return fail(call, parsed.status());
  const QuantRule rule = rule_of(context.gateway->model().card);
  const Texts texts = std::make_shared<const std::vector<Input>>(parsed->job.inputs);
  const bool bare = version == "1" && !parsed->types_named;
  std::vector<Job> jobs = jobs_for(std::move(parsed->job), parsed->formats, rule);
  const std::string id = call.request.head.id;
  run_jobs(context, std::move(call), std::move(jobs),
           [request = *std::move(parsed), rule, texts, bare, version, id](std::span<const JobResult> results) {
             JsonWriter json;
             json.reserve(results.front().values.size() * JsonWriter::kFloatBytes + 256);
             json.begin_object().key("id").string(id).key("embeddings");
             write_embeddings(request, bare, rule, results, &json);
             json.key("texts").begin_array();
             for (const Input& text : *texts) json.string(std::get<std::string>(text));
             json.end_array().key("meta");
             write_cohere_meta(version, "input_tokens", results.front().tokens, &json);
             json.key("response_type").string(bare ? "embeddings_floats" : "embeddings_by_type").end_object();
             return json_reply(std::move(json).str(), results.front());
           });
}

void embed_v1(const ApiContext& context, ApiCall call) { embed(context, std::move(call), "1"); }
void embed_v2(const ApiContext& context, ApiCall call) { embed(context, std::move(call), "2"); }

constexpr Route kRoutes[] = {
    {"POST", "/v2/embed", embed_v2, cohere_error, "Embed texts (Cohere)", kRequest, "application/json", "", false},
    {"POST", "/v1/embed", embed_v1, cohere_error, "Embed texts (Cohere)", kRequest, "application/json", "", false},
};

}  // namespace

std::span<const Route> cohere_routes() { return kRoutes; }

http::Response cohere_error(const absl::Status& status) { return message_error("message", status); }

void write_cohere_meta(std::string_view version, std::string_view unit, int64_t count, JsonWriter* json) {
  json->begin_object().key("api_version").begin_object().key("version").string(version).end_object();
  json->key("billed_units").begin_object().key(unit).number(count).end_object().end_object();
}

absl::StatusOr<CohereEmbedding> parse_cohere_embed(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::of(body.root(), ""));
  CohereEmbedding out;
  RETURN_IF_ERROR(fields.text("model").status());  // it has been read: of interest is that it is a text
  RETURN_IF_ERROR(read_texts_or_inputs(fields, context.options.max_inputs, &out.job));
  RETURN_IF_ERROR(read_options(fields, context, &out.job.options));
  out.formats = {{"float", VectorFormat::kFloat}};
  const auto types = fields.find("embedding_types");
  out.types_named = types.has_value();
  if (types) {
    ASSIGN_OR_RETURN(out.formats, read_format_names(*types, "embedding_types"));
  }
  return out;
}

}  // namespace bouquet::ivy
