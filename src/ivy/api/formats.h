// The encodings that a request asks for, several perhaps, and the jobs that give them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "ivy/api/encode.h"
#include "ivy/api/json.h"
#include "ivy/job.h"
#include "tulip/client.h"

namespace bouquet::ivy {

struct NamedFormat {
  std::string name;  // as the request says it, and the reply where it holds several
  VectorFormat format = VectorFormat::kFloat;
};
using Formats = std::vector<NamedFormat>;  // at least one, each name once

// A name or a list of names: float, base64, int8, uint8, binary, ubinary.
absl::StatusOr<Formats> read_format_names(JsonValue value, const std::string& field);

QuantRule rule_of(const tulip::ModelCard& card);

// The job once for each kind of vector that the formats need, normalised first: a model that is quantised by tanh needs
// its own vectors for that, and normalised ones for all else. One job for all other models.
std::vector<Job> jobs_for(Job job, const Formats& formats, QuantRule rule);

// Of those jobs' results, the one that a format is made from.
const JobResult& source_of(VectorFormat format, std::span<const JobResult> results);

// Row `row` in every format: {"float": [...], "int8": [...]}.
void write_by_name(const Formats& formats, QuantRule rule, std::span<const JobResult> results, size_t row,
                   JsonWriter* json);
// Row `row` in the one format given.
void write_row(VectorFormat format, QuantRule rule, std::span<const JobResult> results, size_t row, JsonWriter* json);

// Rows [first, first + count) as numbers: [[...], ...].
void write_rows(const JobResult& result, size_t first, size_t count, JsonWriter* json);

// How many rows there are.
size_t rows_of(const JobResult& result);

}  // namespace bouquet::ivy
