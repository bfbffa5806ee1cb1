// Name resolution, shape checks and conversion to f32 on the way into the device's layout.
#include "rose/weights/weight_reader.h"

#include <algorithm>
#include <cstring>

#include "base/status.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace bouquet::rose {
namespace {

void convert_to_f32(const TensorEntry& entry, float* out) {
  const size_t n = entry.bytes.size() / size_of(*entry.dtype);
  if (*entry.dtype == DType::kF32) {
    std::memcpy(out, entry.bytes.data(), n * sizeof(float));
    return;
  }
  for (size_t i = 0; i < n; ++i) {
    uint16_t bits;
    std::memcpy(&bits, entry.bytes.data() + 2 * i, sizeof(bits));
    out[i] = *entry.dtype == DType::kBF16 ? bf16_to_float(bits) : f16_to_float(bits);
  }
}

// Tensors of `size` values each, one after the other.
void stack(const std::vector<const TensorEntry*>& entries, size_t size, float* out) {
  for (const TensorEntry* entry : entries) {
    convert_to_f32(*entry, out);
    out += size;
  }
}

size_t elements(const std::vector<int64_t>& shape) {
  size_t count = 1;
  for (const int64_t size : shape) count *= static_cast<size_t>(size);
  return count;
}

// "x.LayerNorm.weight" -> "x.LayerNorm.gamma", as checkpoints converted from TensorFlow have it; "" for other names.
std::string old_norm_name(std::string_view name) {
  for (auto [now, before] : {std::pair{"LayerNorm.weight", "LayerNorm.gamma"}, {"LayerNorm.bias", "LayerNorm.beta"}}) {
    if (name.ends_with(now)) return std::string(name.substr(0, name.size() - std::strlen(now))) + before;
  }
  return "";
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
  const std::string old = old_norm_name(full);
  return !old.empty() && checkpoint_.tensors().contains(old) ? old : "";
}

bool WeightReader::has(std::string_view name) const { return !find(name).empty(); }

absl::StatusOr<const TensorEntry*> WeightReader::take(std::string_view name, const std::vector<int64_t>& shape) {
  const std::string found = find(name);
  if (found.empty()) return absl::NotFoundError(fmt::format("checkpoint has no tensor {}{}", prefix_, name));
  const TensorEntry& entry = checkpoint_.tensors().at(found);
  if (entry.shape != shape) {
    return absl::InvalidArgumentError(fmt::format("tensor {} has shape [{}], the config says [{}]", found,
                                                  fmt::join(entry.shape, ", "), fmt::join(shape, ", ")));
  }
  if (entry.dtype != DType::kF32 && entry.dtype != DType::kF16 && entry.dtype != DType::kBF16) {
    return absl::UnimplementedError(fmt::format("tensor {} is not f32, f16 or bf16", found));
  }
  taken_.insert(found);
  return &entry;
}

absl::StatusOr<std::vector<const TensorEntry*>> WeightReader::take_all(const std::vector<std::string>& names,
                                                                       const std::vector<int64_t>& shape) {
  std::vector<const TensorEntry*> entries;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const TensorEntry* entry, take(name, shape));
    entries.push_back(entry);
  }
  return entries;
}

std::string WeightReader::key(const std::vector<std::string>& names) const {
  return fmt::format("{} {}{}", checkpoint_.path().string(), prefix_, fmt::join(names, " "));
}

// The tensors one after the other, each of that shape.
absl::StatusOr<std::shared_ptr<Buffer>> WeightReader::floats(const std::vector<std::string>& names,
                                                             const std::vector<int64_t>& shape) {
  ASSIGN_OR_RETURN(const auto entries, take_all(names, shape));
  return place_.store.buffer(key(names), [&]() -> absl::StatusOr<std::unique_ptr<Buffer>> {
    const size_t size = elements(shape);
    ASSIGN_OR_RETURN(std::unique_ptr<Buffer> buffer, place_.device.allocate(entries.size() * size * sizeof(float)));
    stack(entries, size, static_cast<float*>(buffer->data()));
    return buffer;
  });
}

absl::StatusOr<std::shared_ptr<Buffer>> WeightReader::vectors(const std::vector<std::string>& names, int32_t n) {
  return floats(names, {n});
}

absl::StatusOr<std::shared_ptr<Buffer>> WeightReader::vector(std::string_view name, int32_t n) {
  return floats({std::string(name)}, {n});
}

absl::StatusOr<std::shared_ptr<Buffer>> WeightReader::table(std::string_view name, int32_t rows, int32_t cols) {
  return floats({std::string(name)}, {rows, cols});
}

absl::StatusOr<PackedMatrix> WeightReader::matrices(const std::vector<std::string>& names, int32_t n, int32_t k) {
  ASSIGN_OR_RETURN(const auto entries, take_all(names, {n, k}));
  const std::string layout = fmt::format("{} as {}, {}", key(names), name_of(dtype_), place_.kernels.name());
  return place_.store.matrix(layout, [&] {
    std::vector<float> rows(entries.size() * n * k);
    stack(entries, size_t(n) * k, rows.data());
    return place_.kernels.pack(place_.device, dtype_, static_cast<int32_t>(entries.size()) * n, k, rows.data());
  });
}

absl::StatusOr<PackedMatrix> WeightReader::matrix(std::string_view name, int32_t n, int32_t k) {
  return matrices({std::string(name)}, n, k);
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
