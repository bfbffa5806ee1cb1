// A golden file: inputs as token ids and the rows that the original implementation computes for them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "rose/weights/safetensors.h"

namespace bouquet {

struct GoldenCase {
  std::vector<std::vector<int32_t>> ids;
  std::vector<std::vector<uint8_t>> types;
  std::vector<std::vector<float>> rows;
};

inline const std::filesystem::path kGoldenFolder = std::filesystem::path(BOUQUET_SOURCE_DIR) / "tests" / "golden";

template <class T>
std::vector<T> tensor_values(const rose::TensorMap& tensors, const std::string& name) {
  const rose::TensorEntry& entry = tensors.at(name);
  std::vector<T> values(entry.bytes.size() / sizeof(T));
  std::memcpy(values.data(), entry.bytes.data(), entry.bytes.size());
  return values;
}

inline GoldenCase read_golden(const std::filesystem::path& file) {
  const MappedFile mapped = *MappedFile::open(file);
  const rose::TensorMap tensors = *rose::parse_safetensors(mapped.bytes());
  const auto ids = tensor_values<int32_t>(tensors, "ids"), lengths = tensor_values<int32_t>(tensors, "lengths");
  const auto types = tensor_values<uint8_t>(tensors, "types");
  const auto rows = tensor_values<float>(tensors, "rows");
  const size_t width = rows.size() / lengths.size();
  GoldenCase golden;
  size_t at = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == 0) continue;  // an embedding of nothing is zeros there and an error here
    golden.ids.emplace_back(ids.begin() + at, ids.begin() + at + lengths[i]);
    golden.types.emplace_back(types.begin() + at, types.begin() + at + lengths[i]);
    golden.rows.emplace_back(rows.begin() + i * width, rows.begin() + (i + 1) * width);
    at += lengths[i];
  }
  return golden;
}

// The largest magnitude of a row, at least 1.
inline float largest_of(const std::vector<float>& row) {
  float largest = 1;
  for (const float value : row) largest = std::max(largest, std::abs(value));
  return largest;
}

// The real default model, where the environment says it is; tests that need it skip without it.
inline std::optional<std::filesystem::path> real_model() {
  const char* path = std::getenv("BOUQUET_TEST_MODEL");
  if (!path || !*path) return std::nullopt;
  return std::filesystem::path(path);
}

// All the inputs as one flat batch.
struct FlatBatch {
  explicit FlatBatch(const GoldenCase& golden) : cu_seqlens{0} {
    for (size_t i = 0; i < golden.ids.size(); ++i) {
      ids.insert(ids.end(), golden.ids[i].begin(), golden.ids[i].end());
      types.insert(types.end(), golden.types[i].begin(), golden.types[i].end());
      lengths.push_back(static_cast<int32_t>(golden.ids[i].size()));
      cu_seqlens.push_back(static_cast<int32_t>(ids.size()));
    }
  }
  std::vector<int32_t> ids, lengths, cu_seqlens;
  std::vector<uint8_t> types;
};

}  // namespace bouquet
