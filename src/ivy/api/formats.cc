// Names to encodings, and encodings to the vectors they are made from.
#include "ivy/api/formats.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr std::pair<std::string_view, VectorFormat> kNames[] = {
    {"float", VectorFormat::kFloat}, {"base64", VectorFormat::kBase64}, {"int8", VectorFormat::kInt8},
    {"uint8", VectorFormat::kUint8}, {"binary", VectorFormat::kBinary}, {"ubinary", VectorFormat::kUbinary},
};

absl::StatusOr<NamedFormat> read_name(JsonValue value, const std::string& field) {
  std::string_view name;
  if (value.get(name) != simdjson::SUCCESS) return wrong_type(field, "a string", value);
  const auto known =
      std::find_if(std::begin(kNames), std::end(kNames), [&](auto entry) { return entry.first == name; });
  if (known != std::end(kNames)) return NamedFormat{std::string(name), known->second};
  return invalid_input(field,
                       absl::StrCat(field, " must be float, base64, int8, uint8, binary or ubinary, but it is \"",
                                    std::string(name), "\""));
}

}  // namespace

absl::StatusOr<Formats> read_format_names(JsonValue value, const std::string& field) {
  simdjson::dom::array list;
  Formats formats;
  if (value.get(list) != simdjson::SUCCESS) {
    ASSIGN_OR_RETURN(NamedFormat format, read_name(value, field));
    formats.push_back(std::move(format));
    return formats;
  }
  size_t index = 0;
  for (const JsonValue element : list) {
    ASSIGN_OR_RETURN(NamedFormat format, read_name(element, absl::StrCat(field, "[", index++, "]")));
    const auto same = [&](const NamedFormat& other) { return other.format == format.format; };
    if (std::none_of(formats.begin(), formats.end(), same)) formats.push_back(std::move(format));
  }
  if (formats.empty()) return empty_input(field, absl::StrCat(field, " is empty"));
  return formats;
}

QuantRule rule_of(const tulip::ModelCard& card) { return card.tanh_int8 ? QuantRule::kTanh : QuantRule::kUnit; }

std::vector<Job> jobs_for(Job job, const Formats& formats, QuantRule rule) {
  const auto quantised = [](const NamedFormat& format) { return is_quantised(format.format); };
  const bool any = std::any_of(formats.begin(), formats.end(), quantised);
  const bool all = std::all_of(formats.begin(), formats.end(), quantised);
  std::vector<Job> jobs;
  if (any && rule == QuantRule::kUnit) job.options.normalize = true;
  if (any && !all && rule == QuantRule::kTanh) jobs.push_back(job);
  if (any && rule == QuantRule::kTanh) job.options.normalize = false;
  jobs.push_back(std::move(job));
  return jobs;
}

const JobResult& source_of(VectorFormat format, std::span<const JobResult> results) {
  return is_quantised(format) ? results.back() : results.front();
}

void write_row(VectorFormat format, QuantRule rule, std::span<const JobResult> results, size_t row, JsonWriter* json) {
  const JobResult& result = source_of(format, results);
  write_vector({result.row(row), static_cast<size_t>(result.row_size)}, format, rule, json);
}

void write_by_name(const Formats& formats, QuantRule rule, std::span<const JobResult> results, size_t row,
                   JsonWriter* json) {
  json->begin_object();
  for (const NamedFormat& format : formats) write_row(format.format, rule, results, row, &json->key(format.name));
  json->end_object();
}

void write_rows(const JobResult& result, size_t first, size_t count, JsonWriter* json) {
  json->begin_array();
  for (size_t i = first; i < first + count; ++i) json->floats({result.row(i), static_cast<size_t>(result.row_size)});
  json->end_array();
}

size_t rows_of(const JobResult& result) {
  return result.row_size > 0 ? result.values.size() / static_cast<size_t>(result.row_size) : 0;
}

}  // namespace bouquet::ivy
