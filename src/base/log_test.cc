// A JSON log line is one valid object whatever the message holds.
#include "base/log.h"

#include "gtest/gtest.h"
#include "simdjson.h"

namespace bouquet {
namespace {

TEST(Log, JsonLinesParse) {
  init_log(LogFormat::kJson, "info");
  testing::internal::CaptureStderr();
  log_info("quote \" and\nline", {{"field", "va\"lue"}});
  const std::string line = testing::internal::GetCapturedStderr();
  init_log(LogFormat::kText, "info");
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  ASSERT_EQ(parser.parse(line).get(root), simdjson::SUCCESS) << line;
  EXPECT_EQ(std::string_view(root["message"]), "quote \" and\nline");
  EXPECT_EQ(std::string_view(root["field"]), "va\"lue");
}

TEST(Log, LevelsBelowTheChosenOneAreSilent) {
  init_log(LogFormat::kText, "warn");
  testing::internal::CaptureStderr();
  log_info("not shown");
  log_warn("shown", {{"n", "1"}});
  const std::string out = testing::internal::GetCapturedStderr();
  init_log(LogFormat::kText, "info");
  EXPECT_EQ(out.find("not shown"), std::string::npos);
  EXPECT_NE(out.find("shown  n=1"), std::string::npos);
}

}  // namespace
}  // namespace bouquet
