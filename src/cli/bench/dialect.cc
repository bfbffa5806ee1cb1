// The table of servers, request bodies and reply parsing.
#include "cli/bench/dialect.h"

#include <cmath>

#include "base/json_writer.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace bouquet::cli {
namespace {

constexpr Dialect kDialects[] = {
    {"openai", "/v1/embeddings", "input", "/v1/rerank", "documents", true},
    {"tei", "/embed", "inputs", "/rerank", "texts", false},
    {"vllm", "/v1/embeddings", "input", "/v1/rerank", "documents", true},
    {"llama", "/v1/embeddings", "input", "/v1/rerank", "documents", true},
    {"infinity", "/embeddings", "input", "/rerank", "documents", false},
};

void add_texts(JsonWriter& json, std::string_view field, const std::vector<std::string>& texts) {
  json.key(field).begin_array();
  for (const std::string& text : texts) json.string(text);
  json.end_array();
}

}  // namespace

absl::StatusOr<Dialect> find_dialect(std::string_view name) {
  for (const Dialect& dialect : kDialects) {
    if (dialect.name == name) return dialect;
  }
  return absl::InvalidArgumentError(fmt::format("unknown dialect \"{}\"", name));
}

std::string embed_body(const Dialect& dialect, const std::string& model, const std::vector<std::string>& texts) {
  JsonWriter json;
  json.begin_object().key("model").string(model);
  add_texts(json, dialect.input_field, texts);
  json.end_object();
  return std::move(json).str();
}

std::string embed_ids_body(const Dialect& dialect, const std::string& model, const std::vector<int>& ids) {
  JsonWriter json;
  json.begin_object().key("model").string(model).key(dialect.input_field).begin_array().begin_array();
  for (int id : ids) json.number(int64_t{id});
  json.end_array().end_array().end_object();
  return std::move(json).str();
}

std::string rerank_body(const Dialect& dialect, const std::string& model, const std::string& query,
                        const std::vector<std::string>& documents) {
  JsonWriter json;
  json.begin_object().key("model").string(model).key("query").string(query);
  add_texts(json, dialect.documents_field, documents);
  json.end_object();
  return std::move(json).str();
}

absl::StatusOr<std::vector<std::vector<double>>> parse_vectors(std::string_view reply) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::array rows;
  if (parser.parse(reply.data(), reply.size()).get(root)) return absl::InternalError("the reply is not JSON");
  const bool wrapped = root.is_object();
  if (wrapped ? root["data"].get(rows) : root.get(rows))
    return absl::InternalError("the reply holds no list of vectors");
  std::vector<std::vector<double>> vectors;
  for (simdjson::dom::element row : rows) {
    simdjson::dom::array values;
    if (wrapped ? row["embedding"].get(values) : row.get(values))
      return absl::InternalError("the reply holds no list of vectors");
    std::vector<double> vector;
    for (simdjson::dom::element value : values) {
      double number = 0;
      if (value.get(number)) return absl::InternalError("a vector holds something that is no number");
      vector.push_back(number);
    }
    vectors.push_back(std::move(vector));
  }
  return vectors;
}

double cosine_deviation(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return 2;
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) ab += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
  return 1 - ab / std::sqrt(aa * bb);
}

}  // namespace bouquet::cli
