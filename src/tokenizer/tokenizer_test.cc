// The committed golden file (every option and flag, ids by Hugging Face `tokenizers`), loading, and broken files.
#include "tokenizer/tokenizer.h"

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "gtest/gtest.h"
#include "simdjson.h"
#include "tokenizer/strings.h"

namespace bouquet::tokenizer {
namespace {

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

// A command of tests/golden/tokenizer_dump.cc, which describes the form.
class Command {
 public:
  explicit Command(std::string bytes) : bytes_(std::move(bytes)) {}

  uint32_t number() {
    uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + at_, sizeof(value));
    at_ += sizeof(value);
    return value;
  }

  std::string text() {
    const uint32_t length = number();
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

std::string run_decode(const Tokenizer& tokenizer, Command command, bool skip_special) {
  std::vector<int32_t> ids(command.number());
  for (int32_t& id : ids) id = static_cast<int32_t>(command.number());
  return tokenizer.decode(ids, skip_special);
}

// [truncated, then id, type, special, begin, end of each token]
std::vector<int64_t> run_encode(const Tokenizer& tokenizer, Command command, bool pair, const EncodeOptions& options) {
  Encoding encoding;
  const std::string first = command.text();
  if (pair) {
    tokenizer.encode_pair(first, command.text(), options, &encoding);
  } else {
    tokenizer.encode(first, options, &encoding);
  }
  std::vector<int64_t> result = {encoding.truncated};
  for (size_t i = 0; i < encoding.ids.size(); ++i) {
    const Offset& offset = encoding.offsets[i];
    for (const int64_t n : {int64_t{encoding.ids[i]}, int64_t{encoding.type_ids[i]}, int64_t{encoding.special[i]},
                            int64_t{offset.begin}, int64_t{offset.end}}) {
      result.push_back(n);
    }
  }
  return result;
}

void check(const Tokenizer& tokenizer, simdjson::dom::element check) {
  Command command(from_hex(check.at(0).get_string().value()));
  const uint32_t kind = command.number();
  EncodeOptions options;
  options.max_length = static_cast<int32_t>(command.number());
  const uint32_t flags = command.number();
  options.add_special_tokens = (flags & 1) != 0;
  options.truncation_side = (flags & 2) != 0 ? TruncationSide::kLeft : TruncationSide::kRight;
  options.literal_special_tokens = (flags & 4) != 0;
  if (kind == 2) {
    EXPECT_EQ(run_decode(tokenizer, command, (flags & 1) == 0), check.at(1).get_string().value());
    return;
  }
  std::vector<int64_t> expected;
  const simdjson::dom::array numbers = check.at(1).get_array();
  for (const simdjson::dom::element number : numbers) expected.push_back(number.get_int64().value());
  EXPECT_EQ(run_encode(tokenizer, command, kind == 1, options), expected) << check.at(0);
}

TEST(TokenizerGolden, EqualsHuggingFace) {
  std::ifstream file(BOUQUET_SOURCE_DIR "/tests/golden/tokenizer_golden.jsonl");
  ASSERT_TRUE(file.is_open());
  size_t variants = 0;
  simdjson::dom::parser parser;
  std::string first;
  std::getline(file, first);
  simdjson::dom::parser vocabulary_parser;
  const simdjson::dom::element vocabularies = vocabulary_parser.parse(first).value();
  for (std::string line; std::getline(file, line); ++variants) {
    const simdjson::dom::element variant = parser.parse(line).value();
    SCOPED_TRACE(std::string(variant["name"].get_string().value()));
    std::string json = simdjson::minify(variant["file"].value());
    std::string_view type = "WordPiece";  // of files that do not say it
    if (const auto named = variant["file"]["model"]["type"].get_string(); named.error() == simdjson::SUCCESS) {
      type = named.value_unsafe();
    } else if (variant["file"]["model"]["merges"].error() == simdjson::SUCCESS) {
      type = "BPE";
    }
    replace_all("\"vocab\":null", concat({"\"vocab\":", simdjson::minify(vocabularies[type].value())}), &json);
    const auto tokenizer = Tokenizer::from_json(json);
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
    const simdjson::dom::array checks = variant["checks"].get_array();
    for (const simdjson::dom::element one : checks) check(**tokenizer, one);
  }
  EXPECT_GT(variants, 140);
}

TEST(Tokenizer, RealModel) {
  const char* const model = std::getenv("BOUQUET_TEST_MODEL");
  if (model == nullptr || *model == '\0') GTEST_SKIP() << "BOUQUET_TEST_MODEL names no model directory";
  const auto tokenizer = Tokenizer::load(std::filesystem::path(model) / "tokenizer.json");
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status();
  Encoding encoding;
  (*tokenizer)->encode("Hello, world!", {}, &encoding);
  if ((*tokenizer)->vocab_size() != 30522) GTEST_SKIP() << "not a model with BERT's English vocabulary";
  EXPECT_EQ(encoding.ids, (std::vector<int32_t>{101, 7592, 1010, 2088, 999, 102}));
}

TEST(Tokenizer, BrokenFilesAreNamed) {
  EXPECT_TRUE(absl::IsNotFound(Tokenizer::load("/nonexistent/tokenizer.json").status()));
  for (const char* json : {"", "{", "[]", "7", "{}", "\xFF", R"({"model":[]})"}) {
    const auto status = Tokenizer::from_json(json).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << json;
    EXPECT_TRUE(std::string(status.message()).starts_with("tokenizer.json: ")) << status;
  }
}

}  // namespace
}  // namespace bouquet::tokenizer
