// A good file reads; every kind of lie about sizes is refused.
#include "rose/weights/safetensors.h"

#include <cstring>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::rose {
namespace {

std::vector<std::byte> file_of(const std::string& header, size_t data_bytes) {
  std::vector<std::byte> file(8 + header.size() + data_bytes);
  const uint64_t size = header.size();
  std::memcpy(file.data(), &size, 8);
  std::memcpy(file.data() + 8, header.data(), header.size());
  return file;
}

TEST(Safetensors, ReadsViews) {
  const auto file =
      file_of(R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
              R"("ids":{"dtype":"I64","shape":[1],"data_offsets":[24,32]}})",
              32);
  const TensorMap tensors = *parse_safetensors(file);
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors.at("w").dtype, DType::kF32);
  EXPECT_THAT(tensors.at("w").shape, testing::ElementsAre(2, 3));
  EXPECT_EQ(tensors.at("w").bytes.size(), 24u);
  EXPECT_EQ(tensors.at("ids").dtype, DType::kI64);
}

TEST(Safetensors, RefusesLies) {
  const char* headers[] = {
      R"({"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,28]}})",                               // past the end
      R"({"w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,24]}})",                               // shape disagrees
      R"({"w":{"dtype":"F32","shape":[2000000000,2000000000,2000000000],"data_offsets":[0,24]}})",  // overflows
      R"({"w":{"dtype":"F32","shape":[-1],"data_offsets":[0,24]}})",
      R"({"w":{"dtype":"Q9","shape":[6],"data_offsets":[0,24]}})",
      R"({"w":{"dtype":"F32","shape":[6],"data_offsets":[24,0]}})",
      R"({"w":{"dtype":"F32","shape":[6],"data_offsets":[0]}})",
      R"({"w":3})",
      R"([])",
      R"({"w":)"};
  for (const char* header : headers) {
    EXPECT_EQ(parse_safetensors(file_of(header, 24)).status().code(), absl::StatusCode::kInvalidArgument) << header;
  }
  EXPECT_FALSE(parse_safetensors({}).ok());
  std::vector<std::byte> huge(8, std::byte{0xff});
  EXPECT_FALSE(parse_safetensors(huge).ok());
}

}  // namespace
}  // namespace bouquet::rose
