// Tensors of every type have the values that the Python package gives them; metadata of every kind is read; whatever
// lies is refused.
#include "rose/weights/gguf.h"

#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rose/weights/safetensors.h"
#include "rose/weights/testing/torch_bytes.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;
using namespace testing_bytes;
using testing::ElementsAre;
using testing::HasSubstr;

const fs::path kFolder = fs::path(BOUQUET_SOURCE_DIR) / "tests/golden/weights";

std::string string(std::string_view value) { return raw<uint64_t>(value.size()) + std::string(value); }

std::string header(uint32_t version, uint64_t tensors, uint64_t metadata) {
  return "GGUF" + raw(version) + raw(tensors) + raw(metadata);
}

std::string described(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type, uint64_t offset) {
  std::string all = string(name) + raw(static_cast<uint32_t>(dims.size()));
  for (const uint64_t dim : dims) all += raw(dim);
  return all + raw(type) + raw(offset);
}

// A file of one tensor of `bytes` bytes.
std::string file_of(const std::string& description, size_t bytes, const std::string& metadata = "", uint64_t keys = 0) {
  std::string all = header(3, 1, keys) + metadata + description;
  all.resize((all.size() + 31) / 32 * 32);
  return all + std::string(bytes, 'x');
}

absl::Status status_of(const std::string& file) { return parse_gguf(bytes_of(file)).status(); }

std::string error_of(const std::string& file) { return std::string(status_of(file).message()); }

std::vector<float> values_of(const GgufTensor& tensor) {
  std::vector<float> values(static_cast<size_t>(tensor.rows() * tensor.row_size()));
  EXPECT_TRUE(dequantise(tensor, 0, values).ok());
  return values;
}

TEST(Gguf, DequantisesAsThePythonPackage) {
  const MappedFile file = *MappedFile::open(kFolder / "types.gguf");
  const MappedFile reference = *MappedFile::open(kFolder / "types.safetensors");
  const absl::StatusOr<GgufFile> gguf = parse_gguf(file.bytes());
  ASSERT_TRUE(gguf.ok()) << gguf.status();
  const TensorMap expected = *parse_safetensors(reference.bytes());
  ASSERT_EQ(gguf->tensors.size(), expected.size());
  for (const auto& [name, entry] : expected) {
    const GgufTensor& tensor = gguf->tensors.at(name);
    EXPECT_EQ(tensor.shape, entry.shape) << name;
    const std::vector<float> values = values_of(tensor);
    ASSERT_EQ(values.size() * sizeof(float), entry.bytes.size()) << name;
    EXPECT_EQ(std::memcmp(values.data(), entry.bytes.data(), entry.bytes.size()), 0) << name;
  }
  for (const GgmlType& type : ggml_types()) EXPECT_TRUE(expected.contains(type.name)) << type.name << " is not tested";
}

TEST(Gguf, DequantisesSomeRows) {
  const MappedFile file = *MappedFile::open(kFolder / "types.gguf");
  const GgufFile gguf = *parse_gguf(file.bytes());
  const GgufTensor& tensor = gguf.tensors.at("Q5_K");
  const std::vector<float> all = values_of(tensor);
  std::vector<float> second(256);
  ASSERT_TRUE(dequantise(tensor, 1, second).ok());
  EXPECT_TRUE(std::equal(second.begin(), second.end(), all.begin() + 256));
  EXPECT_EQ(dequantise(tensor, 2, second).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(dequantise(tensor, -1, second).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(dequantise(tensor, INT64_MAX, second).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(dequantise(tensor, 0, std::span(second).first(255)).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(dequantise(tensor, 2, {}).ok());
  std::vector<float> three(768);
  EXPECT_EQ(dequantise(tensor, 0, three).code(), absl::StatusCode::kOutOfRange);
}

TEST(Gguf, ReadsMetadataOfEveryKind) {
  const MappedFile file = *MappedFile::open(kFolder / "types.gguf");
  const GgufFile gguf = *parse_gguf(file.bytes());
  const GgufMetadata& metadata = gguf.metadata;
  EXPECT_EQ(metadata.text("general.architecture"), "bert");
  EXPECT_EQ(metadata.text("text"), "caf\xc3\xa9");
  EXPECT_EQ(metadata.integer("u8"), 255);
  EXPECT_EQ(metadata.integer("i8"), -128);
  EXPECT_EQ(metadata.integer("u16"), 65535);
  EXPECT_EQ(metadata.integer("i16"), -32768);
  EXPECT_EQ(metadata.integer("u32"), 4294967295);
  EXPECT_EQ(metadata.integer("i32"), INT32_MIN);
  EXPECT_EQ(metadata.integer("u64"), std::nullopt);
  EXPECT_EQ(metadata.integer("i64"), INT64_MIN);
  EXPECT_EQ(metadata.number("f32"), 1e-12f);
  EXPECT_EQ(metadata.number("f64"), 0.1);
  EXPECT_EQ(metadata.flag("yes"), true);
  EXPECT_THAT(*metadata.texts("texts"), ElementsAre("[PAD]", "", "\xe5\x8c\x97"));
  EXPECT_THAT(*metadata.integers("integers"), ElementsAre(1, -2, 3));
  EXPECT_THAT(*metadata.numbers("numbers"), ElementsAre(0.5, -1.5));
  EXPECT_THAT(*metadata.flags("flags"), ElementsAre(true, false));
}

TEST(Gguf, WhatIsOfAnotherKindIsNotThere) {
  const MappedFile file = *MappedFile::open(kFolder / "types.gguf");
  const GgufFile gguf = *parse_gguf(file.bytes());
  const GgufMetadata& metadata = gguf.metadata;
  EXPECT_TRUE(metadata.has("texts"));
  EXPECT_FALSE(metadata.has("none"));
  EXPECT_EQ(metadata.text("none"), std::nullopt);
  EXPECT_EQ(metadata.text("texts"), std::nullopt);
  EXPECT_EQ(metadata.text("u8"), std::nullopt);
  EXPECT_EQ(metadata.integer("f32"), std::nullopt);
  EXPECT_EQ(metadata.integer("yes"), std::nullopt);
  EXPECT_EQ(metadata.number("u8"), std::nullopt);
  EXPECT_EQ(metadata.flag("u8"), std::nullopt);
  EXPECT_EQ(metadata.texts("text"), std::nullopt);
  EXPECT_EQ(metadata.integers("numbers"), std::nullopt);
  EXPECT_EQ(metadata.numbers("integers"), std::nullopt);
}

TEST(Gguf, CutAnywhereIsRefused) {
  const std::string whole = *read_file(kFolder / "types.gguf");
  for (size_t size = 0; size < whole.size(); ++size) {  // the last tensor's bytes are the file's last
    const std::string cut = whole.substr(0, size);
    ASSERT_FALSE(status_of(cut).ok()) << size;
  }
}

TEST(Gguf, ReadsVersion2) {
  std::string file = *read_file(kFolder / "types.gguf");
  file[4] = 2;
  EXPECT_TRUE(status_of(file).ok());
}

TEST(Gguf, RefusesOtherVersions) {
  EXPECT_EQ(status_of(header(1, 0, 0)).code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(status_of(header(4, 0, 0)).code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(error_of(header(3 << 24, 0, 0)), HasSubstr("big-endian"));
  EXPECT_THAT(error_of("GGML"), HasSubstr("does not begin with GGUF"));
  EXPECT_THAT(error_of(header(3, 100'001, 0)), HasSubstr("100001 tensors"));
  EXPECT_THAT(error_of(header(3, 0, ~uint64_t{0})), HasSubstr("metadata entries"));
}

TEST(Gguf, RefusesTensorsThatLie) {
  ASSERT_TRUE(status_of(file_of(described("w", {32, 2}, 8, 0), 68)).ok());
  EXPECT_TRUE(status_of(file_of(described("w", {}, 0, 0), 4)).ok());
  const std::pair<std::string, const char*> cases[] = {
      {described("w", {32, 3}, 8, 0), R"(tensor "w" of 102 bytes at 0 leaves the file's 68)"},
      {described("w", {32, 2}, 8, 32), "leaves the file"},
      {described("w", {32}, 8, ~uint64_t{0} - 31), "leaves the file"},
      {described("w", {32}, 8, 8), "not aligned to 32"},
      {described("w", {16, 2}, 8, 0), "has rows of 16 values, no whole number of Q8_0's blocks"},
      {described("w", {32, 0}, 8, 0), "impossible shape"},
      {described("w", {uint64_t{1} << 31}, 8, 0), "impossible shape"},
      {described("w", {1 << 30, 1 << 30, 1 << 30}, 0, 0), "impossible shape"},
      {described("w", {1 << 30, 1 << 30, 8}, 0, 0), "impossible shape"},
      {described("w", {1, 1, 1, 1, 1}, 0, 0), "has 5 dimensions"},
      {described("w", {32}, 16, 0), "has type 16, which is none of F32, F16"},
      {described("", {32}, 8, 0), "a name is no text"},
      {described("\xff", {32}, 8, 0), "a name is no text"},
      {described(std::string(1001, 'n'), {32}, 8, 0), "a name is no text"},
  };
  for (const auto& [description, message] : cases) EXPECT_THAT(error_of(file_of(description, 68)), HasSubstr(message));
  EXPECT_EQ(status_of(file_of(described("w", {32}, 16, 0), 68)).code(), absl::StatusCode::kUnimplemented);
  const std::string twice = header(3, 2, 0) + described("w", {1}, 0, 0) + described("w", {1}, 0, 0);
  EXPECT_THAT(error_of(twice + std::string(64, 'x')), HasSubstr("is there twice"));
}

TEST(Gguf, RefusesMetadataThatLies) {
  const auto error = [](const std::string& entries, uint64_t count = 1) {
    return error_of(header(3, 0, count) + entries);
  };
  EXPECT_THAT(error(string("k") + raw<uint32_t>(13) + "x"), HasSubstr(R"(key "k" has unknown type 13)"));
  EXPECT_THAT(error(string("k") + raw<uint32_t>(9) + raw<uint32_t>(9) + raw<uint64_t>(1)),
              HasSubstr("array of arrays"));
  EXPECT_THAT(error(string("k") + raw<uint32_t>(9) + raw<uint32_t>(10) + raw(uint64_t{1} << 61)),
              HasSubstr("cut short"));
  EXPECT_THAT(error(string("k") + raw<uint32_t>(9) + raw<uint32_t>(8) + raw(~uint64_t{0})), HasSubstr("cut short"));
  EXPECT_THAT(error(string("k") + raw<uint32_t>(8) + raw(~uint64_t{0})), HasSubstr("cut short"));
  EXPECT_THAT(error(raw(~uint64_t{0}) + "k"), HasSubstr("cut short"));
  const std::string flag = string("k") + raw<uint32_t>(7) + "\x01";
  EXPECT_THAT(error(flag + flag, 2), HasSubstr(R"(key "k" is there twice)"));
}

TEST(Gguf, AlignmentIsOfTheFile) {
  const auto with = [](uint32_t alignment, uint64_t offset) {
    const std::string key = string("general.alignment") + raw<uint32_t>(4) + raw(alignment);
    return error_of(file_of(described("w", {1}, 0, offset), 16, key, 1));
  };
  EXPECT_EQ(with(8, 8), "");
  EXPECT_THAT(with(16, 8), HasSubstr("not aligned to 16"));
  EXPECT_THAT(with(0, 0), HasSubstr("general.alignment of 0"));
  EXPECT_THAT(with(24, 0), HasSubstr("general.alignment of 24"));
  EXPECT_THAT(with(1u << 31, 0), HasSubstr("leaves the file"));
}

}  // namespace
}  // namespace bouquet::rose
