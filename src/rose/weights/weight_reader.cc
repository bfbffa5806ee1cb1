// Name resolution, shape checks and conversion to f32 on the way into the device's layout.
#include "rose/weights/weight_reader.h"

#include <algorithm>
#include <cstring>

#include "base/status.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "rose/weights/gguf.h"

namespace bouquet::rose {
namespace {

template <class Stored, class Widen>
void widen(const std::byte* from, int64_t count, Widen widen_one, float* out) {
  for (int64_t i = 0; i < count; ++i) {
    Stored stored;
    std::memcpy(&stored, from + i * static_cast<int64_t>(sizeof(Stored)), sizeof(stored));
    out[i] = widen_one(stored);
  }
}

void copy_floats(const TensorEntry& entry, int64_t first, int64_t count, float* out) {
  const std::byte* from = entry.bytes.data() + first * static_cast<int64_t>(size_of(*entry.dtype));
  const auto as_float = [](auto value) { return static_cast<float>(value); };
  switch (*entry.dtype) {
    case DType::kF32:
      std::memcpy(out, from, count * sizeof(float));
      return;
    case DType::kBF16:
      return widen<uint16_t>(from, count, bf16_to_float, out);
    case DType::kF16:
      return widen<uint16_t>(from, count, f16_to_float, out);
    case DType::kI32:
      return widen<int32_t>(from, count, as_float, out);
    case DType::kU8:
      return widen<uint8_t>(from, count, as_float, out);
    case DType::kI8:
      return widen<int8_t>(from, count, as_float, out);
    case DType::kI64:
      return widen<int64_t>(from, count, as_float, out);
    case DType::kF64:
      return widen<double>(from, count, as_float, out);
  }
}

// `first` and `count` are of whole rows where the tensor is in blocks.
absl::Status convert_to_f32(const TensorEntry& entry, int64_t first, int64_t count, float* out) {
  if (entry.blocks) {
    const GgufTensor tensor{entry.blocks, entry.shape, entry.bytes};
    return dequantise(tensor, first / std::max<int64_t>(tensor.row_size(), 1), {out, static_cast<size_t>(count)});
  }
  copy_floats(entry, first, count, out);
  return absl::OkStatus();
}

// "x.LayerNorm.weight" -> "x.LayerNorm.gamma", as checkpoints converted from TensorFlow have it; "" for other names.
std::string old_norm_name(std::string_view name) {
  for (auto [now, before] : {std::pair{"LayerNorm.weight", "LayerNorm.gamma"}, {"LayerNorm.bias", "LayerNorm.beta"}}) {
    if (name.ends_with(now)) return std::string(name.substr(0, name.size() - std::strlen(now))) + before;
  }
  return "";
}

constexpr int64_t kReleased = 1 << 16;  // values of a tensor that is worth a call to the system

constexpr std::string_view kParametrized = ".parametrizations.weight.original";

std::string parametrized_name(std::string_view name) {
  constexpr std::string_view kWeight = ".weight";
  if (!name.ends_with(kWeight)) return "";
  return std::string(name.substr(0, name.size() - kWeight.size())) + std::string(kParametrized);
}

}  // namespace

WeightReader::WeightReader(const Checkpoint& checkpoint, const WeightPlace& place, DType dtype)
    : checkpoint_(checkpoint), place_(place), dtype_(dtype) {}

absl::Status WeightReader::choose_prefix(const std::vector<std::string>& prefixes, std::string_view name) {
  for (const std::string& prefix : prefixes) {
    prefix_ = prefix;
    if (has(name)) return absl::OkStatus();
  }
  return absl::NotFoundError(
      fmt::format("checkpoint has no tensor {} (prefixes tried: \"{}\")", name, fmt::join(prefixes, "\", \"")));
}

std::string WeightReader::find(std::string_view name) const {
  const std::string full = prefix_ + std::string(name);
  if (checkpoint_.tensors().contains(full)) return full;
  for (const std::string& other : {old_norm_name(full), parametrized_name(full)}) {
    if (!other.empty() && checkpoint_.tensors().contains(other)) return other;
  }
  return "";
}

absl::StatusOr<std::string> WeightReader::find_or_fail(std::string_view name) const {
  std::string found = find(name);
  if (found.empty()) return absl::NotFoundError(fmt::format("checkpoint has no tensor {}{}", prefix_, name));
  return found;
}

bool WeightReader::has(std::string_view name) const { return !find(name).empty(); }

absl::StatusOr<std::vector<float>> WeightReader::values(const std::string& name) {
  ASSIGN_OR_RETURN(const std::string found, find_or_fail(name));
  const TensorEntry& entry = checkpoint_.tensors().at(found);
  if (!entry.dtype) return absl::UnimplementedError(fmt::format("tensor {} has a type that is not known", found));
  taken_.insert(found);
  const size_t count = entry.bytes.size() / size_of(*entry.dtype);
  std::vector<float> values(count);
  copy_floats(entry, 0, static_cast<int64_t>(count), values.data());
  return values;
}

absl::StatusOr<std::shared_ptr<Buffer>> WeightReader::derived(
    const std::string& name, absl::FunctionRef<absl::StatusOr<std::unique_ptr<Buffer>>()> make) {
  return place_.store.buffer(key({name}, " derived"), make);
}

absl::StatusOr<int32_t> WeightReader::rows_of(const std::string& name) const {
  ASSIGN_OR_RETURN(const std::string found, find_or_fail(name));
  const std::vector<int64_t>& shape = checkpoint_.tensors().at(found).shape;
  if (shape.empty() || shape[0] < 1 || shape[0] > INT32_MAX) {
    return absl::InvalidArgumentError(fmt::format("tensor {} has shape [{}]", found, fmt::join(shape, ", ")));
  }
  return static_cast<int32_t>(shape[0]);
}

// `cols` 0: a vector.
absl::StatusOr<WeightReader::Source> WeightReader::take(const Part& part, const std::string& suffix, int32_t cols) {
  ASSIGN_OR_RETURN(const std::string found, find_or_fail(part.name + suffix));
  const TensorEntry& entry = checkpoint_.tensors().at(found);
  if (!entry.blocks && entry.dtype != DType::kF32 && entry.dtype != DType::kF16 && entry.dtype != DType::kBF16) {
    return absl::UnimplementedError(fmt::format("tensor {} is not f32, f16 or bf16", found));
  }
  const bool is_matrix = cols > 0;
  if (part.begin < 0 || entry.shape.size() != (is_matrix ? 2 : 1) || (is_matrix && entry.shape[1] != cols) ||
      entry.shape[0] < int64_t{part.begin} + part.rows) {
    return absl::InvalidArgumentError(
        fmt::format("tensor {} has shape [{}], which does not fit the config", found, fmt::join(entry.shape, ", ")));
  }
  taken_.insert(found);
  const int64_t width = is_matrix ? cols : 1, rows = part.rows > 0 ? part.rows : entry.shape[0];
  return Source{&entry, part.begin * width, rows * width, found};
}

absl::StatusOr<std::vector<WeightReader::Source>> WeightReader::take_all(const Stack& parts, const std::string& suffix,
                                                                         int32_t rows, int32_t cols) {
  std::vector<Source> sources;
  int64_t values = 0;
  for (const Part& part : parts) {
    ASSIGN_OR_RETURN(const Source source, take(part, suffix, cols));
    values += source.count;
    sources.push_back(source);
  }
  const int64_t width = cols > 0 ? cols : 1;
  if (values != rows * width) {
    return absl::InvalidArgumentError(
        fmt::format("tensor {}{}{} (and what belongs to it) has {} rows, the config says {}", prefix_, parts[0].name,
                    suffix, values / width, rows));
  }
  return sources;
}

absl::Status WeightReader::copy_as_f32(const std::vector<Source>& sources, float* out) const {
  for (const Source& source : sources) {
    RETURN_IF_ERROR(convert_to_f32(*source.entry, source.first, source.count, out));
    if (source.count > kReleased) checkpoint_.release(source.entry->bytes);
    if (adapter_ >= 0 && source.name.ends_with(kParametrized)) {
      RETURN_IF_ERROR(add_adapter(source, out));
    }
    out += source.count;
  }
  return absl::OkStatus();
}

// A linear layer's factors are A [rank][in] and B [out][rank], a table's A [rows][rank] and B [rank][width]: which of
// the two it is shows in their shapes. Both come out as left [rows][rank] x right [rank][cols].
absl::Status WeightReader::add_adapter(const Source& source, float* out) const {
  const std::string stem = source.name.substr(0, source.name.size() - std::strlen("original"));
  const auto a = checkpoint_.tensors().find(stem + "0.lora_A"), b = checkpoint_.tensors().find(stem + "0.lora_B");
  if (a == checkpoint_.tensors().end() || b == checkpoint_.tensors().end()) return absl::OkStatus();
  const std::vector<int64_t>& shape = source.entry->shape;
  const auto fits = [&](const TensorEntry& left, const TensorEntry& right) {
    return left.dtype && right.dtype && left.shape.size() == 3 && right.shape.size() == 3 && shape.size() == 2 &&
           left.shape[0] > adapter_ && right.shape[0] > adapter_ && left.shape[1] == shape[0] &&
           right.shape[2] == shape[1] && left.shape[2] == right.shape[1];
  };
  const bool linear = fits(b->second, a->second);
  if (!linear && !fits(a->second, b->second)) {
    return absl::InvalidArgumentError(fmt::format("tensors {}0.lora_A and lora_B do not fit the original", stem));
  }
  const TensorEntry& left = linear ? b->second : a->second;
  const TensorEntry& right = linear ? a->second : b->second;
  const int64_t rank = left.shape[2], cols = shape[1], rows = source.count / cols, row0 = source.first / cols;
  std::vector<float> l(size_t(rows * rank)), r(size_t(rank * cols));
  copy_floats(left, (adapter_ * shape[0] + row0) * rank, rows * rank, l.data());
  copy_floats(right, adapter_ * rank * cols, rank * cols, r.data());
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < rank; ++k) {
      const float factor = adapter_scale_ * l[size_t(i * rank + k)];
      for (int64_t j = 0; j < cols; ++j) out[i * cols + j] += factor * r[size_t(k * cols + j)];
    }
  }
  return absl::OkStatus();
}

void WeightReader::use_adapter(int32_t index, float scale) {
  adapter_ = index;
  adapter_scale_ = scale;
}

std::string WeightReader::key(const Stack& parts, std::string_view suffix) const {
  std::string key = fmt::format("{} {} adapter {}", checkpoint_.path().string(), prefix_, adapter_);
  for (const Part& part : parts) key += fmt::format(" {}{}[{}+{}]", part.name, suffix, part.begin, part.rows);
  return key;
}

absl::StatusOr<std::unique_ptr<Buffer>> WeightReader::as_f32(const std::vector<Source>& sources, int64_t count) const {
  ASSIGN_OR_RETURN(std::unique_ptr<Buffer> buffer, place_.device.allocate(size_t(count) * sizeof(float)));
  RETURN_IF_ERROR(copy_as_f32(sources, static_cast<float*>(buffer->data())));
  return buffer;
}

absl::StatusOr<std::shared_ptr<Buffer>> WeightReader::vector(const Stack& parts, const std::string& suffix, int32_t n) {
  ASSIGN_OR_RETURN(const auto sources, take_all(parts, suffix, n, 0));
  return place_.store.buffer(key(parts, suffix), [&] { return as_f32(sources, n); });
}

absl::StatusOr<std::shared_ptr<Buffer>> WeightReader::vector(const std::string& name, int32_t n, float offset) {
  ASSIGN_OR_RETURN(const auto sources, take_all({name}, "", n, 0));
  return place_.store.buffer(key({name}, fmt::format("+{}", offset)), [&]() -> absl::StatusOr<std::unique_ptr<Buffer>> {
    ASSIGN_OR_RETURN(std::unique_ptr<Buffer> buffer, as_f32(sources, n));
    auto* values = static_cast<float*>(buffer->data());
    for (int32_t i = 0; i < n; ++i) values[i] += offset;
    return buffer;
  });
}

absl::StatusOr<PackedMatrix> WeightReader::matrix(const Stack& parts, const std::string& suffix, int32_t n, int32_t k) {
  ASSIGN_OR_RETURN(const auto sources, take_all(parts, suffix, n, k));
  const std::string layout = fmt::format("{} as {}, {}", key(parts, suffix), name_of(dtype_), place_.kernels.name());
  return place_.store.matrix(layout, [&]() -> absl::StatusOr<PackedMatrix> {
    std::vector<float> rows(size_t(n) * k);
    RETURN_IF_ERROR(copy_as_f32(sources, rows.data()));
    return place_.kernels.pack(place_.device, dtype_, n, k, rows.data());
  });
}

absl::StatusOr<PackedMatrix> WeightReader::row_difference(const std::string& name, int32_t plus, int32_t minus,
                                                          int32_t cols) {
  std::vector<float> difference(cols), row(cols);
  ASSIGN_OR_RETURN(const Source first, take(Part(name, plus, 1), "", cols));
  RETURN_IF_ERROR(copy_as_f32({first}, difference.data()));
  if (minus >= 0) {
    ASSIGN_OR_RETURN(const Source second, take(Part(name, minus, 1), "", cols));
    RETURN_IF_ERROR(copy_as_f32({second}, row.data()));
    for (int32_t i = 0; i < cols; ++i) difference[i] -= row[i];
  }
  return place_.kernels.pack(place_.device, DType::kF32, 1, cols, difference.data());
}

absl::StatusOr<Table> WeightReader::table_as(DType dtype, const std::string& name, int32_t rows, int32_t cols) {
  ASSIGN_OR_RETURN(const auto sources, take_all({name}, "", rows, cols));
  Table table{.data = nullptr, .dtype = dtype, .cols = cols};
  ASSIGN_OR_RETURN(table.data,
                   place_.store.buffer(key({name}, name_of(dtype)), [&]() -> absl::StatusOr<std::unique_ptr<Buffer>> {
                     const int64_t count = sources[0].count;
                     if (dtype == DType::kF32) return as_f32(sources, count);
                     ASSIGN_OR_RETURN(std::unique_ptr<Buffer> buffer, place_.device.allocate(count * size_of(dtype)));
                     std::vector<float> row(cols);
                     auto* out = static_cast<uint16_t*>(buffer->data());
                     for (int64_t at = 0; at < count; at += cols) {
                       RETURN_IF_ERROR(copy_as_f32({{sources[0].entry, at, cols, sources[0].name}}, row.data()));
                       out = std::transform(row.begin(), row.end(), out, float_to_bf16);
                     }
                     checkpoint_.release(sources[0].entry->bytes);
                     return buffer;
                   }));
  return table;
}

absl::StatusOr<Table> WeightReader::table(const std::string& name, int32_t rows, int32_t cols) {
  return table_as(DType::kF32, name, rows, cols);
}

absl::StatusOr<Table> WeightReader::words(const std::string& name, int32_t rows, int32_t cols) {
  return table_as(dtype_, name, rows, cols);
}

absl::Status WeightReader::check_all_taken(const std::vector<std::string_view>& known_unused) const {
  for (const auto& [name, entry] : checkpoint_.tensors()) {
    const bool known = std::any_of(known_unused.begin(), known_unused.end(), [&name = name](std::string_view pattern) {
      return pattern.ends_with('.') ? name.starts_with(pattern) : name.ends_with(pattern);
    });
    if (!known && !taken_.contains(name)) {
      return absl::InvalidArgumentError(fmt::format(
          "checkpoint has a tensor this architecture does not use: {}; serving without it could give wrong vectors",
          name));
    }
  }
  return absl::OkStatus();
}

}  // namespace bouquet::rose
