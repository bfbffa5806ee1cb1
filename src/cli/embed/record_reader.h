// Texts out of a file or standard input, one at a time: lines of text, a field of JSON lines, or a column of CSV.
// Memory is bounded by the longest record.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"

namespace bouquet::cli {

enum class RecordFormat : uint8_t { kText, kJsonl, kCsv };

struct RecordOptions {
  RecordFormat format = RecordFormat::kText;
  std::string field = "text";  // of a JSON line's object, or the CSV header's column
};

class RecordReader {
 public:
  virtual ~RecordReader() = default;
  // The next text; nothing at the end. INVALID_ARGUMENT names the line.
  virtual absl::StatusOr<std::optional<std::string>> next() = 0;
  virtual int64_t line() const = 0;   // of the last record, from 1
  virtual int64_t bytes() const = 0;  // read so far
};

// `in` must outlive the reader; `name` is for messages.
std::unique_ptr<RecordReader> make_record_reader(std::istream& in, std::string name, const RecordOptions& options);

// By a file's ending: .jsonl/.ndjson, .csv, anything else is text.
RecordFormat guess_format(const std::string& path);

}  // namespace bouquet::cli
