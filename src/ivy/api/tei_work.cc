// TEI's requests as work: the job, and what is written of its result.
#include <algorithm>
#include <memory>
#include <utility>

#include "base/status.h"
#include "ivy/api/encode.h"
#include "ivy/api/formats.h"
#include "ivy/api/score.h"
#include "ivy/api/tei.h"

namespace bouquet::ivy {
namespace {

void write_embeddings(const JobResult& result, JsonWriter* json) {
  json->reserve(result.values.size() * JsonWriter::kFloatBytes + 2);
  write_rows(result, 0, rows_of(result), json);
}

// [[[f32]]]: a vector a token.
void write_token_embeddings(const JobResult& result, JsonWriter* json) {
  size_t first = 0;
  json->reserve(result.values.size() * JsonWriter::kFloatBytes + 2);
  json->begin_array();
  for (const int32_t count : result.row_counts) {
    write_rows(result, first, static_cast<size_t>(count), json);
    first += static_cast<size_t>(count);
  }
  json->end_array();
}

void write_sparse(const JobResult& result, JsonWriter* json) {
  json->begin_array();
  for (const SparseVector& vector : result.sparse) {
    json->begin_array();
    for (size_t i = 0; i < vector.indices.size(); ++i) {
      json->begin_object().key("index").number(int64_t{vector.indices[i]});
      json->key("value").number(vector.values[i]).end_object();
    }
    json->end_array();
  }
  json->end_array();
}

// Dot products of unit vectors with the last one.
void write_similarities(const JobResult& result, JsonWriter* json) {
  const size_t sentences = rows_of(result) - 1;
  json->begin_array();
  for (size_t i = 0; i < sentences; ++i) json->number(static_cast<float>(cosine(result, i, sentences)));
  json->end_array();
}

// One input's labels, best first.
void write_labels(std::span<const float> logits, const std::vector<std::string>& labels, bool raw, JsonWriter* json) {
  const std::vector<double> scores = probabilities(logits, raw);
  std::vector<size_t> order(scores.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return logits[a] > logits[b]; });
  json->begin_array();
  for (const size_t i : order) {
    json->begin_object().key("score").number(scores[i]).key("label").string(labels[i]).end_object();
  }
  json->end_array();
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

void write_encodings(const tokenizer::Tokenizer& tokenizer, const JobResult& result, JsonWriter* json) {
  json->begin_array();
  for (size_t i = 0; i < result.encodings.size(); ++i) {
    json->begin_array();
    const tokenizer::Encoding& encoding = result.encodings[i];
    for (size_t k = 0; k < encoding.ids.size(); ++k) write_token(tokenizer, encoding, k, result.texts[i], json);
    json->end_array();
  }
  json->end_array();
}

void write_texts(const JobResult& result, JsonWriter* json) {
  json->begin_array();
  for (const std::string& text : result.texts) json->string(text);
  json->end_array();
}

}  // namespace

absl::StatusOr<TeiWork> tei_embed(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(Job job, parse_tei_embed(body, context));
  return TeiWork{std::move(job), write_embeddings};
}

absl::StatusOr<TeiWork> tei_embed_all(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(Job job, parse_tei_rows(Task::kTokens, body, context));
  return TeiWork{std::move(job), write_token_embeddings};
}

absl::StatusOr<TeiWork> tei_embed_sparse(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(Job job, parse_tei_rows(Task::kSparse, body, context));
  return TeiWork{std::move(job), write_sparse};
}

absl::StatusOr<TeiWork> tei_similarity(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(Job job, parse_tei_similarity(body, context));
  return TeiWork{std::move(job), write_similarities};
}

absl::StatusOr<TeiWork> tei_rerank(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(TeiScores parsed, parse_tei_rerank(body, context));
  std::shared_ptr<const std::vector<Input>> texts;
  if (parsed.return_text) texts = std::make_shared<const std::vector<Input>>(parsed.job.inputs);
  return TeiWork{std::move(parsed.job), [raw = parsed.raw_scores, texts](const JobResult& result, JsonWriter* json) {
                   json->begin_array();
                   for (const Ranked& item : rank(result, raw)) {
                     json->begin_object().key("index").number(static_cast<int64_t>(item.index));
                     json->key("score").number(item.score);
                     if (texts) json->key("text").string(std::get<std::string>((*texts)[item.index]));
                     json->end_object();
                   }
                   json->end_array();
                 }};
}

absl::StatusOr<TeiWork> tei_predict(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(TeiScores parsed, parse_tei_predict(body, context));
  const bool single = parsed.job.single;
  const ModelInfo& model = context.gateway->model();
  return TeiWork{std::move(parsed.job),
                 [raw = parsed.raw_scores, single, &model](const JobResult& result, JsonWriter* json) {
                   const auto row = static_cast<size_t>(result.row_size);
                   if (single) return write_labels({result.row(0), row}, model.labels, raw, json);
                   json->begin_array();
                   for (size_t i = 0; i < rows_of(result); ++i) {
                     write_labels({result.row(i), row}, model.labels, raw, json);
                   }
                   json->end_array();
                 }};
}

absl::StatusOr<TeiWork> tei_tokenize(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(Job job, parse_tei_tokenize(body, context));
  const tokenizer::Tokenizer& tokenizer = context.gateway->tokenizer();
  return TeiWork{std::move(job),
                 [&tokenizer](const JobResult& result, JsonWriter* json) { write_encodings(tokenizer, result, json); }};
}

absl::StatusOr<TeiWork> tei_decode(const Document& body, const ApiContext& context) {
  ASSIGN_OR_RETURN(Job job, parse_tei_decode(body, context));
  return TeiWork{std::move(job), write_texts};
}

absl::StatusOr<TeiWork> tei_any(const Document& body, const ApiContext& context) {
  if (body.has("query") && body.has("texts")) return tei_rerank(body, context);
  const ModelInfo& model = context.gateway->model();
  if (model.embeds) return tei_embed(body, context);
  if (model.classifies) return tei_predict(body, context);
  return model.sparse ? tei_embed_sparse(body, context) : tei_embed_all(body, context);
}

}  // namespace bouquet::ivy
