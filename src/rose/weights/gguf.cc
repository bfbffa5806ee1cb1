// Header, metadata, the tensors' descriptions, padding, the tensors' bytes.
#include "rose/weights/gguf.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "absl/strings/escaping.h"
#include "base/status.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace bouquet::rose {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view kMagic = "GGUF";
constexpr uint64_t kMaxEntries = 100'000;  // of metadata, and tensors
constexpr uint32_t kMaxDimensions = 4;
constexpr int64_t kDefaultAlignment = 32;

absl::Status broken(const std::string& what) { return absl::InvalidArgumentError(what); }

struct Counts {
  uint64_t tensors = 0, metadata = 0;
};

absl::StatusOr<Counts> take_header(ByteReader& in) {
  if (in.take_text(kMagic.size()) != kMagic) return broken("does not begin with GGUF");
  const auto version = in.take_number<uint32_t>();
  const auto tensors = in.take_number<uint64_t>(), metadata = in.take_number<uint64_t>();
  if (!version || !tensors || !metadata) return broken("cut short");
  if ((*version & 0xffff) == 0) return absl::UnimplementedError("numbers are big-endian");
  if (*version != 2 && *version != 3) return absl::UnimplementedError(fmt::format("version {}", *version));
  if (*tensors > kMaxEntries || *metadata > kMaxEntries) {
    return broken(fmt::format("{} tensors and {} metadata entries", *tensors, *metadata));
  }
  return Counts{*tensors, *metadata};
}

absl::StatusOr<uint64_t> alignment_of(const GgufMetadata& metadata) {
  const int64_t alignment = metadata.integer("general.alignment").value_or(kDefaultAlignment);
  if (alignment <= 0 || alignment > UINT32_MAX || !std::has_single_bit(static_cast<uint64_t>(alignment))) {
    return broken(fmt::format("general.alignment of {}", alignment));
  }
  return static_cast<uint64_t>(alignment);
}

struct Description {
  std::string_view name;
  GgufTensor tensor;  // without its bytes
  uint64_t offset = 0, size = 0;
};

// The file has the innermost dimension first.
absl::Status take_shape(ByteReader& in, GgufTensor* tensor, uint64_t* values) {
  const auto dimensions = in.take_number<uint32_t>();
  if (!dimensions) return broken("is cut short");
  if (*dimensions > kMaxDimensions) return broken(fmt::format("has {} dimensions", *dimensions));
  *values = 1;
  for (uint32_t d = 0; d < *dimensions; ++d) {
    const auto size = in.take_number<uint64_t>();
    if (!size) return broken("is cut short");
    if (*size == 0 || *size > INT32_MAX || __builtin_mul_overflow(*values, *size, values))
      return broken("has an impossible shape");
    tensor->shape.insert(tensor->shape.begin(), static_cast<int64_t>(*size));
  }
  return absl::OkStatus();
}

absl::Status unknown_type(uint32_t id) {
  std::vector<std::string_view> known;
  for (const GgmlType& type : ggml_types()) known.push_back(type.name);
  return absl::UnimplementedError(fmt::format("has type {}, which is none of {}", id, fmt::join(known, ", ")));
}

// What follows the tensor's name.
absl::Status take_description(ByteReader& in, Description* description) {
  GgufTensor& tensor = description->tensor;
  uint64_t values = 0;
  RETURN_IF_ERROR(take_shape(in, &tensor, &values));
  const auto type = in.take_number<uint32_t>();
  const auto offset = in.take_number<uint64_t>();
  if (!type || !offset) return broken("is cut short");
  tensor.type = find_ggml_type(*type);
  if (tensor.type == nullptr) return unknown_type(*type);
  if (tensor.row_size() % tensor.type->block_values != 0) {
    return broken(
        fmt::format("has rows of {} values, no whole number of {}'s blocks", tensor.row_size(), tensor.type->name));
  }
  if (__builtin_mul_overflow(values / tensor.type->block_values, uint64_t{tensor.type->block_bytes},
                             &description->size)) {
    return broken("has an impossible shape");
  }
  description->offset = *offset;
  return absl::OkStatus();
}

absl::Status tensor_error(std::string_view name, const absl::Status& status) {
  return {status.code(),
          fmt::format("tensor \"{}\" {}", absl::Utf8SafeCHexEscape(std::string(name)), std::string(status.message()))};
}

absl::StatusOr<std::vector<Description>> take_descriptions(ByteReader& in, uint64_t count) {
  std::vector<Description> descriptions;
  for (uint64_t i = 0; i < count; ++i) {
    Description description;
    ASSIGN_OR_RETURN(description.name, take_gguf_name(in));
    const absl::Status status = take_description(in, &description);
    if (!status.ok()) return tensor_error(description.name, status);
    descriptions.push_back(std::move(description));
  }
  return descriptions;
}

absl::Status place(Bytes data, uint64_t alignment, Description description, GgufFile* file) {
  const uint64_t offset = description.offset, size = description.size;
  if (offset % alignment != 0) return broken(fmt::format("lies at {}, which is not aligned to {}", offset, alignment));
  if (offset > data.size() || size > data.size() - offset) {
    return broken(fmt::format("of {} bytes at {} leaves the file's {}", size, offset, data.size()));
  }
  description.tensor.bytes = data.subspan(offset, size);
  const bool is_new = file->tensors.emplace(description.name, std::move(description.tensor)).second;
  return is_new ? absl::OkStatus() : broken("is there twice");
}

absl::StatusOr<GgufFile> parse(Bytes bytes) {
  ByteReader in(bytes);
  ASSIGN_OR_RETURN(const Counts counts, take_header(in));
  GgufFile file;
  ASSIGN_OR_RETURN(file.metadata, GgufMetadata::take(in, counts.metadata));
  ASSIGN_OR_RETURN(const uint64_t alignment, alignment_of(file.metadata));
  ASSIGN_OR_RETURN(std::vector<Description> descriptions, take_descriptions(in, counts.tensors));
  const uint64_t begin = (in.at() + alignment - 1) / alignment * alignment;
  const Bytes data = begin < bytes.size() ? bytes.subspan(begin) : Bytes();
  for (Description& description : descriptions) {
    const std::string_view name = description.name;
    const absl::Status status = place(data, alignment, std::move(description), &file);
    if (!status.ok()) return tensor_error(name, status);
  }
  return file;
}

}  // namespace

int64_t GgufTensor::row_size() const { return shape.empty() ? 1 : shape.back(); }

int64_t GgufTensor::rows() const {
  int64_t count = 1;
  for (size_t d = 0; d + 1 < shape.size(); ++d) count *= shape[d];
  return count;
}

bool is_gguf(Bytes file) { return as_text(file).starts_with(kMagic); }

absl::StatusOr<GgufFile> parse_gguf(Bytes bytes) {
  absl::StatusOr<GgufFile> file = parse(bytes);
  if (file.ok()) return file;
  return about("GGUF", file.status());
}

absl::StatusOr<MappedGguf> open_gguf(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::open(path));
  absl::StatusOr<GgufFile> file = parse_gguf(mapped.bytes());
  if (!file.ok()) return about(path.string(), file.status());
  return MappedGguf{std::move(mapped), *std::move(file)};
}

absl::Status dequantise(const GgufTensor& tensor, int64_t first_row, std::span<float> out) {
  const auto row = static_cast<uint64_t>(tensor.row_size());
  if (out.empty()) return absl::OkStatus();
  if (row == 0 || out.size() % row != 0) {
    return broken(fmt::format("{} values are no whole number of rows of {}", out.size(), row));
  }
  const uint64_t count = out.size() / row, all = static_cast<uint64_t>(tensor.rows());
  if (first_row < 0 || count > all || static_cast<uint64_t>(first_row) > all - count) {
    return absl::OutOfRangeError(fmt::format("rows {} to {} of {}", first_row, first_row + count, all));
  }
  const GgmlType& type = *tensor.type;
  const uint64_t first_block = static_cast<uint64_t>(first_row) * (row / type.block_values);
  const auto* block = reinterpret_cast<const uint8_t*>(tensor.bytes.data()) + first_block * type.block_bytes;
  for (size_t at = 0; at < out.size(); at += type.block_values, block += type.block_bytes) {
    type.decode(block, out.data() + at);
  }
  return absl::OkStatus();
}

}  // namespace bouquet::rose
