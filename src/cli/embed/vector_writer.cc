// The part file, its journal, and the two formats.
#include "cli/embed/vector_writer.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

#include "base/file.h"
#include "base/json_writer.h"
#include "base/status.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace bouquet::cli {
namespace {

namespace fs = std::filesystem;
constexpr size_t kNpyHeader = 128;  // bytes, padded with spaces as the format wants it

std::string json_row(int64_t index, std::span<const float> row) {
  JsonWriter json;
  json.begin_object().key("index").number(index).key("embedding").floats(row).end_object();
  return std::move(json).str() + "\n";
}

// Version 1.0 of the format: magic, version, header length, a Python dict.
std::string npy_header(int64_t rows, int32_t dimensions) {
  std::string dict = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, dimensions);
  dict.resize(kNpyHeader - 10 - 1, ' ');
  const uint16_t length = kNpyHeader - 10;
  std::string header("\x93NUMPY\x01\x00", 8);
  header.append(reinterpret_cast<const char*>(&length), 2);
  return header + dict + "\n";
}

class StreamWriter : public VectorWriter {
 public:
  int64_t rows() const override { return rows_; }
  absl::Status write(std::span<const float> row) override {
    std::cout << json_row(rows_++, row);
    return std::cout ? absl::OkStatus() : absl::FailedPreconditionError("cannot write to standard output");
  }
  absl::Status checkpoint() override {
    return std::cout.flush() ? absl::OkStatus() : absl::FailedPreconditionError("cannot write to standard output");
  }
  absl::Status finish() override { return checkpoint(); }

 private:
  int64_t rows_ = 0;
};

class FileWriter : public VectorWriter {
 public:
  explicit FileWriter(const WriterOptions& options)
      : options_(options), part_(options.path.string() + ".part"), journal_(options.path.string() + ".progress") {}
  ~FileWriter() override {
    if (file_) std::fclose(file_);
  }

  absl::Status open() {
    ASSIGN_OR_RETURN(const int64_t safe_bytes, read_journal());
    file_ = std::fopen(part_.c_str(), safe_bytes > 0 ? "r+b" : "w+b");
    if (!file_) return failed("open");
    if (safe_bytes > 0) {
      if (std::fseek(file_, 0, SEEK_END) != 0 || std::ftell(file_) < safe_bytes) {
        return absl::FailedPreconditionError(
            fmt::format("{} is shorter than its journal says; remove both to start anew", part_.string()));
      }
      if (ftruncate(fileno(file_), safe_bytes) != 0 || std::fseek(file_, safe_bytes, SEEK_SET) != 0)
        return failed("resume");
      return absl::OkStatus();
    }
    if (options_.npy) return put(npy_header(0, options_.dimensions));
    return absl::OkStatus();
  }

  int64_t rows() const override { return rows_; }

  absl::Status write(std::span<const float> row) override {
    const int64_t index = rows_++;
    if (!options_.npy) return put(json_row(index, row));
    return put({reinterpret_cast<const char*>(row.data()), row.size_bytes()});
  }

  absl::Status checkpoint() override {
    if (std::fflush(file_) != 0 || fdatasync(fileno(file_)) != 0) return failed("write");
    JsonWriter json;
    json.begin_object().key("job").string(options_.job).key("rows").number(rows_);
    json.key("bytes").number(static_cast<int64_t>(std::ftell(file_))).end_object();
    const fs::path fresh = journal_.string() + ".new";
    std::ofstream(fresh) << json.view() << "\n";
    std::error_code error;
    fs::rename(fresh, journal_, error);
    return error ? absl::FailedPreconditionError(fmt::format("cannot write {}: {}", journal_.string(), error.message()))
                 : absl::OkStatus();
  }

  absl::Status finish() override {
    RETURN_IF_ERROR(checkpoint());
    if (options_.npy) {
      if (std::fseek(file_, 0, SEEK_SET) != 0) return failed("write");
      RETURN_IF_ERROR(put(npy_header(rows_, options_.dimensions)));
      if (std::fflush(file_) != 0) return failed("write");
    }
    std::error_code error;
    fs::rename(part_, options_.path, error);
    if (error)
      return absl::FailedPreconditionError(fmt::format("cannot write {}: {}", options_.path.string(), error.message()));
    fs::remove(journal_, error);
    return absl::OkStatus();
  }

 private:
  absl::Status failed(const char* action) const {
    return absl::FailedPreconditionError(fmt::format("cannot {} {}: {}", action, part_.string(), std::strerror(errno)));
  }

  absl::Status put(std::string_view bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size() ? absl::OkStatus() : failed("write");
  }

  // Bytes of the part file that are safe, 0 when there is nothing to resume.
  absl::StatusOr<int64_t> read_journal() {
    const auto text = read_file(journal_);
    if (!text.ok()) return 0;
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    std::string_view job;
    int64_t rows = 0, bytes = 0;
    if (parser.parse(*text).get(root) || root["job"].get(job) || root["rows"].get(rows) || root["bytes"].get(bytes))
      return 0;
    if (job != options_.job) {
      return absl::FailedPreconditionError(
          fmt::format("{} is of another run (other inputs, model or options); remove it and {} to start anew",
                      journal_.string(), part_.string()));
    }
    rows_ = rows;
    return bytes;
  }

  const WriterOptions options_;
  const fs::path part_, journal_;
  std::FILE* file_ = nullptr;
  int64_t rows_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<VectorWriter>> VectorWriter::open(const WriterOptions& options) {
  if (options.path == "-") return std::make_unique<StreamWriter>();
  if (file_exists(options.path)) {
    return absl::FailedPreconditionError(
        fmt::format("{} exists already; remove it or name another -o", options.path.string()));
  }
  auto writer = std::make_unique<FileWriter>(options);
  RETURN_IF_ERROR(writer->open());
  return writer;
}

}  // namespace bouquet::cli
