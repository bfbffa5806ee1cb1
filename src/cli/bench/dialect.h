// How each server wants to be asked: paths, field names, and whether it takes token ids.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::cli {

struct Dialect {
  std::string_view name;
  std::string_view embed_path;
  std::string_view input_field;  // of the texts to embed
  std::string_view rerank_path;
  std::string_view documents_field;  // of the texts to score against "query"
  bool takes_ids;
};

absl::StatusOr<Dialect> find_dialect(std::string_view name);

std::string embed_body(const Dialect& dialect, const std::string& model, const std::vector<std::string>& texts);
std::string embed_ids_body(const Dialect& dialect, const std::string& model, const std::vector<int>& ids);
std::string rerank_body(const Dialect& dialect, const std::string& model, const std::string& query,
                        const std::vector<std::string>& documents);

// The vectors of an embeddings reply, in order of index: OpenAI's shape or a bare array of arrays.
absl::StatusOr<std::vector<std::vector<double>>> parse_vectors(std::string_view reply);

double cosine_deviation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace bouquet::cli
