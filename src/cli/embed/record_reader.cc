// The three formats.
#include "cli/embed/record_reader.h"

#include <algorithm>
#include <vector>

#include "base/status.h"
#include "base/utf8.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace bouquet::cli {
namespace {

std::string without_bom(std::string text) { return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text; }

class LineReader : public RecordReader {
 public:
  LineReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}
  int64_t line() const override { return line_; }
  int64_t bytes() const override { return bytes_; }

  absl::StatusOr<std::optional<std::string>> next() override {
    std::string text;
    if (!read_line(&text)) return std::nullopt;
    return replace_invalid_utf8(text);
  }

 protected:
  bool read_line(std::string* text) {
    if (!std::getline(in_, *text)) return false;
    bytes_ += static_cast<int64_t>(text->size()) + 1;
    if (++line_ == 1) *text = without_bom(std::move(*text));
    if (text->ends_with('\r')) text->pop_back();
    return true;
  }
  absl::Status wrong(std::string_view what) const {
    return absl::InvalidArgumentError(fmt::format("{}:{}: {}", name_, line_, what));
  }

 private:
  std::istream& in_;
  const std::string name_;
  int64_t line_ = 0, bytes_ = 0;
};

// Each line an object with the field, or a bare string. Blank lines are passed over.
class JsonlReader : public LineReader {
 public:
  JsonlReader(std::istream& in, std::string name, std::string field)
      : LineReader(in, std::move(name)), field_(std::move(field)) {}

  absl::StatusOr<std::optional<std::string>> next() override {
    std::string text;
    do {
      if (!read_line(&text)) return std::nullopt;
    } while (text.find_first_not_of(" \t") == std::string::npos);
    simdjson::dom::element value;
    if (const auto error = parser_.parse(text).get(value)) return wrong(simdjson::error_message(error));
    std::string_view found;
    if (!value.get(found)) return std::string(found);
    if (value[field_].get(found)) return wrong(fmt::format("no string field \"{}\"", field_));
    return std::string(found);
  }

 private:
  const std::string field_;
  simdjson::dom::parser parser_;
};

// RFC 4180: quoted fields may hold commas, doubled quotes and line breaks. The first record names the columns.
class CsvReader : public LineReader {
 public:
  CsvReader(std::istream& in, std::string name, std::string column)
      : LineReader(in, std::move(name)), column_(std::move(column)) {}

  absl::StatusOr<std::optional<std::string>> next() override {
    std::vector<std::string> fields;
    if (index_ < 0) {
      ASSIGN_OR_RETURN(const bool any, read_record(&fields));
      if (!any) return std::nullopt;
      const auto found = std::find(fields.begin(), fields.end(), column_);
      if (found == fields.end()) return wrong(fmt::format("no column \"{}\" in the header", column_));
      index_ = found - fields.begin();
    }
    ASSIGN_OR_RETURN(const bool any, read_record(&fields));
    if (!any) return std::nullopt;
    if (static_cast<size_t>(index_) >= fields.size()) return wrong(fmt::format("only {} fields", fields.size()));
    return replace_invalid_utf8(fields[index_]);
  }

 private:
  absl::StatusOr<bool> read_record(std::vector<std::string>* fields) {
    fields->clear();
    std::string line;
    do {
      if (!read_line(&line)) return false;
    } while (line.empty());
    std::string field;
    bool quoted = false;
    for (size_t i = 0;; ++i) {
      if (i == line.size()) {
        if (!quoted) break;
        field.push_back('\n');
        if (!read_line(&line)) return wrong("the file ends within quotes");
        i = static_cast<size_t>(-1);
      } else if (quoted) {
        if (line[i] != '"') {
          field.push_back(line[i]);
        } else if (i + 1 < line.size() && line[i + 1] == '"') {
          field.push_back(line[++i]);
        } else {
          quoted = false;
        }
      } else if (line[i] == '"' && field.empty()) {
        quoted = true;
      } else if (line[i] == ',') {
        fields->push_back(std::exchange(field, ""));
      } else {
        field.push_back(line[i]);
      }
    }
    fields->push_back(std::move(field));
    return true;
  }

  const std::string column_;
  std::ptrdiff_t index_ = -1;
};

}  // namespace

std::unique_ptr<RecordReader> make_record_reader(std::istream& in, std::string name, const RecordOptions& options) {
  switch (options.format) {
    case RecordFormat::kJsonl:
      return std::make_unique<JsonlReader>(in, std::move(name), options.field);
    case RecordFormat::kCsv:
      return std::make_unique<CsvReader>(in, std::move(name), options.field);
    case RecordFormat::kText:
      break;
  }
  return std::make_unique<LineReader>(in, std::move(name));
}

RecordFormat guess_format(const std::string& path) {
  if (path.ends_with(".jsonl") || path.ends_with(".ndjson")) return RecordFormat::kJsonl;
  return path.ends_with(".csv") ? RecordFormat::kCsv : RecordFormat::kText;
}

}  // namespace bouquet::cli
