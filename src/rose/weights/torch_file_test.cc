// Every form of torch.save gives the tensors that safetensors has; a file cut anywhere, or hostile, is refused by name.
#include "rose/weights/torch_file.h"

#include <filesystem>

#include "base/file.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rose/weights/byte_reader.h"
#include "rose/weights/testing/torch_bytes.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;
using namespace testing_bytes;
using testing::HasSubstr;

const fs::path kFolder = fs::path(BOUQUET_SOURCE_DIR) / "tests/golden/weights";
constexpr const char* kForms[] = {"ordered.bin", "protocol4.bin", "parameters.bin", "stream.bin", "stream4.bin"};

void expect_same(const TensorMap& got, const TensorMap& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (const auto& [name, entry] : expected) {
    ASSERT_TRUE(got.contains(name)) << name;
    const TensorEntry& other = got.at(name);
    EXPECT_EQ(other.dtype, entry.dtype) << name;
    EXPECT_EQ(other.shape, entry.shape) << name;
    EXPECT_EQ(as_text(other.bytes), as_text(entry.bytes)) << name;
  }
}

std::string error_of(const std::string& file) {
  const absl::StatusOr<TorchTensors> parsed = parse_torch_file(bytes_of(file));
  EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(parsed.status().message());
}

// Of one tensor "w" over a storage of six floats.
std::string error_of_tensor(int64_t offset, const std::vector<int64_t>& shape, const std::vector<int64_t>& strides) {
  const std::string w = tensor(storage("FloatStorage", "0", 6), offset, shape, strides);
  return error_of(torch_zip(pickle(dict({{"w", w}})), std::string(24, 'x')));
}

TEST(TorchFile, EveryFormGivesTheTensorsOfSafetensors) {
  const MappedFile reference = *MappedFile::open(kFolder / "weights.safetensors");
  const TensorMap expected = *parse_safetensors(reference.bytes());
  for (const char* name : kForms) {
    SCOPED_TRACE(name);
    const MappedFile file = *MappedFile::open(kFolder / name);
    EXPECT_TRUE(is_torch_file(file.bytes()));
    const absl::StatusOr<TorchTensors> parsed = parse_torch_file(file.bytes());
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    expect_same(parsed->tensors, expected);
    EXPECT_TRUE(parsed->copies.empty());
    EXPECT_EQ(parsed->tensors.at("words.weight").bytes.data(), parsed->tensors.at("decoder.weight").bytes.data());
  }
  EXPECT_FALSE(is_torch_file(reference.bytes()));
}

TEST(TorchFile, PutsTransposedTensorsInOrder) {
  const MappedFile reference = *MappedFile::open(kFolder / "strided.safetensors");
  const MappedFile file = *MappedFile::open(kFolder / "strided.pt");
  const absl::StatusOr<TorchTensors> parsed = parse_torch_file(file.bytes());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  expect_same(parsed->tensors, *parse_safetensors(reference.bytes()));
  EXPECT_EQ(parsed->copies.size(), 6u);
}

TEST(TorchFile, CutAnywhereIsRefused) {
  for (const char* name : kForms) {
    const std::string whole = *read_file(kFolder / name);
    for (size_t size = 0; size < whole.size(); ++size) {
      const std::string cut = whole.substr(0, size);  // its end is the end of an allocation, which ASan guards
      ASSERT_EQ(parse_torch_file(bytes_of(cut)).status().code(), absl::StatusCode::kInvalidArgument) << name << size;
    }
  }
}

TEST(TorchFile, RefusesNumbersThatLeaveTheStorage) {
  EXPECT_THAT(error_of_tensor(0, {2, 4}, {4, 1}), HasSubstr(R"(tensor "w": lies outside its storage of 6 elements)"));
  EXPECT_THAT(error_of_tensor(1, {2, 3}, {3, 1}), HasSubstr("outside"));
  EXPECT_THAT(error_of_tensor(0, {2, 3}, {4, 1}), HasSubstr("outside"));
  EXPECT_THAT(error_of_tensor(7, {0}, {1}), HasSubstr("outside"));
  EXPECT_THAT(error_of_tensor(6, {}, {}), HasSubstr("outside"));
  EXPECT_THAT(error_of_tensor(0, {2}, {INT64_MAX}), HasSubstr("outside"));
  EXPECT_THAT(error_of_tensor(0, {3, 3}, {INT64_MAX, INT64_MAX}), HasSubstr("outside"));
  EXPECT_THAT(error_of_tensor(-1, {2}, {1}), HasSubstr("impossible offset"));
  EXPECT_THAT(error_of_tensor(0, {2}, {-1}), HasSubstr("impossible strides"));
  EXPECT_THAT(error_of_tensor(0, {-2}, {1}), HasSubstr("impossible shape"));
  EXPECT_THAT(error_of_tensor(0, {int64_t{1} << 31}, {0}), HasSubstr("impossible shape"));
  EXPECT_THAT(error_of_tensor(0, {INT32_MAX, INT32_MAX, INT32_MAX}, {0, 0, 0}), HasSubstr("impossible shape"));
  EXPECT_THAT(error_of_tensor(0, {2, 3}, {1}), HasSubstr("shape and strides disagree"));
  EXPECT_THAT(error_of_tensor(0, {1000, 3}, {0, 1}), HasSubstr("expanded"));
  EXPECT_THAT(error_of_tensor(0, std::vector<int64_t>(65, 1), std::vector<int64_t>(65, 1)),
              HasSubstr("impossible shape"));
}

TEST(TorchFile, CopiesNoMoreThanTheFileHas) {
  std::vector<std::pair<std::string, std::string>> tensors;
  for (int i = 0; i < 200; ++i) {
    tensors.emplace_back(fmt::format("w{}", i), "h" + std::string(1, '\0'));
  }
  tensors[0].second = tensor(storage("FloatStorage", "0", 1000), 0, {500, 2}, {1, 500}) + "q" + std::string(1, '\0');
  EXPECT_THAT(error_of(torch_zip(pickle(dict(tensors)), std::string(4000, 'x'))), HasSubstr("too many tensors"));
}

TEST(TorchFile, RefusesStoragesThatAreNotWhatTheyShouldBe) {
  const std::string w = tensor(storage("FloatStorage", "0", 6), 0, {6}, {1});
  EXPECT_THAT(error_of(torch_zip(pickle(dict({{"w", w}})), std::string(23, 'x'))),
              HasSubstr("storage 0 has 23 bytes of 24"));
  const std::string other = tensor(storage("FloatStorage", "../1", 6), 0, {6}, {1});
  EXPECT_THAT(error_of(torch_zip(pickle(dict({{"w", other}})), "")), HasSubstr("storage ../1 is not in the archive"));
  const std::string half = tensor(storage("HalfStorage", "0", 6), 0, {6}, {1});
  EXPECT_THAT(error_of(torch_zip(pickle(dict({{"w", w}, {"h", half}})), std::string(24, 'x'))), HasSubstr("two types"));
  const std::string complex = tensor(storage("ComplexFloatStorage", "0", 6), 0, {6}, {1});
  EXPECT_THAT(error_of(torch_zip(pickle(dict({{"w", complex}})), "")),
              HasSubstr("pickle global torch.ComplexFloatStorage is not allowed"));
  const std::string huge = tensor(storage("FloatStorage", "0", INT64_MAX), 0, {6}, {1});
  EXPECT_THAT(error_of(torch_zip(pickle(dict({{"w", huge}})), "")), HasSubstr("impossible size of a storage"));
}

TEST(TorchFile, RunsNothing) {
  const std::string system = global("os", "system") + "(" + text("id") + "tR";
  EXPECT_THAT(error_of(torch_zip(pickle(dict({{"w", system}})), "")),
              HasSubstr("pickle global os.system is not allowed"));
  EXPECT_THAT(error_of(torch_zip(pickle(system), "")), HasSubstr("os.system"));
  const std::string called = global("torch", "FloatStorage") + ")R";
  EXPECT_THAT(error_of(torch_zip(pickle(dict({{"w", called}})), "")), HasSubstr(R"(tensor "w": is no tensor)"));
}

TEST(TorchFile, RefusesWhatIsNoStateDict) {
  const std::string w = tensor(storage("FloatStorage", "0", 6), 0, {6}, {1});
  const std::string data(24, 'x');
  EXPECT_THAT(error_of(torch_zip(pickle(w), data)), HasSubstr("no dict of tensors"));
  EXPECT_THAT(error_of(torch_zip(pickle(dict({{"state_dict", dict({{"w", w}})}})), data)),
              HasSubstr(R"(tensor "state_dict": is no tensor)"));
  EXPECT_THAT(error_of(torch_zip(pickle(dict({{"w", w}, {"w", w}})), data)), HasSubstr("named twice"));
  for (const std::string& name : {std::string(), std::string(1001, 'n'), std::string("\xff")}) {
    EXPECT_THAT(error_of(torch_zip(pickle(dict({{name, w}})), data)), HasSubstr("a name is no text"));
  }
  EXPECT_THAT(error_of(zip({{"a/other", ""}})), HasSubstr("without data.pkl"));
  EXPECT_THAT(error_of(zip({{"a/data.pkl", ""}, {"b/data.pkl", ""}})), HasSubstr("two data.pkl"));
}

TEST(TorchFile, RefusesBigEndianNumbers) {
  const std::string pickled = pickle(dict({}));
  EXPECT_THAT(error_of(zip({{"a/data.pkl", pickled}, {"a/byteorder", "big"}})), HasSubstr("not little-endian"));
  EXPECT_TRUE(parse_torch_file(bytes_of(zip({{"a/data.pkl", pickled}}))).ok());
  std::string stream = *read_file(kFolder / "stream.bin");
  const size_t at = stream.find("little_endian") + 13 + 2;  // behind the name's BINPUT
  ASSERT_EQ(stream[at], '\x88');
  stream[at] = '\x89';
  EXPECT_THAT(error_of(stream), HasSubstr("big-endian"));
}

TEST(TorchFile, StreamsNameTheirStorages) {
  std::string stream = *read_file(kFolder / "stream.bin");
  stream.resize(stream.size() - 1);
  EXPECT_THAT(error_of(stream), HasSubstr("is cut short"));
}

}  // namespace
}  // namespace bouquet::rose
