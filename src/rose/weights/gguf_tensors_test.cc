// Names and layouts of the golden files; a file that does not say what it is, or lies of its heads, is refused.
#include "rose/weights/gguf_tensors.h"

#include <filesystem>

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rose/weights/testing/torch_bytes.h"

namespace bouquet::rose {
namespace {

using namespace testing_bytes;
using testing::HasSubstr;

namespace fs = std::filesystem;
const fs::path kGolden = fs::path(BOUQUET_SOURCE_DIR) / "tests/golden";

std::string text(std::string_view value) { return raw<uint64_t>(value.size()) + std::string(value); }

// One tensor of 4 rows of 2 floats, and metadata.
std::string file_of(std::string_view architecture, std::string_view tensor, uint32_t heads) {
  constexpr uint32_t kText = 8, kUint32 = 4;
  std::string all = "GGUF" + raw(uint32_t{3}) + raw(uint64_t{1}) + raw(uint64_t{2});
  all += text("general.architecture") + raw(kText) + text(architecture);
  all += text("llama.attention.head_count") + raw(kUint32) + raw(heads);
  all += text(tensor) + raw(uint32_t{2}) + raw(uint64_t{2}) + raw(uint64_t{4}) + raw(uint32_t{0}) + raw(uint64_t{0});
  all.resize((all.size() + 31) / 32 * 32);
  for (float value = 0; value < 8; ++value) all += raw(value);
  return all;
}

TEST(GgufTensors, AreNamedAsInTransformers) {
  const MappedFile here = *MappedFile::open(kGolden / "gguf/bert.gguf");
  const MappedFile there = *MappedFile::open(kGolden / "models/pool-mean/model.safetensors");
  const auto gguf = parse_gguf_tensors(here.bytes());
  ASSERT_TRUE(gguf.ok()) << gguf.status();
  const TensorMap expected = *parse_safetensors(there.bytes());
  for (const auto& [name, entry] : gguf->tensors) {
    ASSERT_TRUE(expected.contains(name)) << name;
    EXPECT_TRUE(std::ranges::equal(entry.bytes, expected.at(name).bytes)) << name;
  }
  EXPECT_GT(gguf->tensors.size(), 20u);
}

TEST(GgufTensors, PutsHalvesOfHeadsTogether) {
  const std::string file = file_of("llama", "blk.7.attn_q.weight", 1);
  const auto gguf = parse_gguf_tensors(bytes_of(file));
  ASSERT_TRUE(gguf.ok()) << gguf.status();
  const TensorEntry& entry = gguf->tensors.at("model.layers.7.self_attn.q_proj.weight");
  const auto* values = reinterpret_cast<const float*>(entry.bytes.data());
  EXPECT_THAT(std::vector<float>(values, values + 8), testing::ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
}

TEST(GgufTensors, KeepsNamesThatNoTableHas) {
  for (const char* name : {"rope_freqs.weight", "blk.0.ssm_a.weight", "blk.x", "nodot"}) {
    const std::string file = file_of("qwen3", name, 1);
    EXPECT_TRUE(parse_gguf_tensors(bytes_of(file))->tensors.contains(name)) << name;
  }
}

TEST(GgufTensors, RefusesByName) {
  const std::string other = file_of("mamba", "token_embd.weight", 1), odd = file_of("llama", "blk.0.attn_q.weight", 3);
  EXPECT_EQ(parse_gguf_tensors(bytes_of(other)).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(parse_gguf_tensors(bytes_of(other)).status().message()), HasSubstr("\"mamba\""));
  EXPECT_THAT(std::string(parse_gguf_tensors(bytes_of(odd)).status().message()), HasSubstr("blk.0.attn_q.weight"));
}

}  // namespace
}  // namespace bouquet::rose
