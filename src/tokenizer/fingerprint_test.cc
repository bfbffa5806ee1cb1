// What counts and what does not.
#include "tokenizer/fingerprint.h"

#include <set>

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

uint64_t fingerprint(const std::string& json) {
  simdjson::dom::parser parser;
  return fingerprint_of(*JsonObject::of(parser.parse(json).value(), ""));
}

TEST(Fingerprint, LayoutAndOtherPartsDoNotCount) {
  EXPECT_EQ(fingerprint(R"({"model":{"a":[1,2.5,true]},"decoder":{"type":"X"}})"),
            fingerprint("{ \"decoder\": null,\n \"model\" : {\"a\": [1, 2.5, true]} }"));
}

TEST(Fingerprint, EveryValueAndItsPlaceCounts) {
  std::set<uint64_t> seen;
  const char* const values[] = {
      "1",     "2",    "-1",        "1.0",   "1e-300",   "true",          "false",      "null",
      "\"\"",  "[]",   "{}",        "[[]]",  "[1,2]",    "[[1],2]",       "[[1,2]]",    "[2,1]",
      "\"1\"", "[{}]", "{\"a\":1}", "\"a\"", "[\"ab\"]", "[\"a\",\"b\"]", "{\"a\":[]}", "{\"b\":1}"};
  for (const char* value : values) {
    for (const char* key : {"model", "normalizer", "added_tokens"}) {
      if (std::string(value) != "null") seen.insert(fingerprint(std::string("{\"") + key + "\":" + value + "}"));
    }
  }
  EXPECT_EQ(seen.size(), (std::size(values) - 1) * 3);
}

}  // namespace
}  // namespace bouquet::tokenizer
