// One id, several, none, and what is no id.
#include "cli/generate/stop_ids.h"

#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(StopIds, OfTheGenerationConfigFirst) {
  const ScratchFolder folder;
  EXPECT_THAT(*read_stop_ids(folder), IsEmpty());
  folder.write("config.json", R"({"eos_token_id":7})");
  EXPECT_THAT(*read_stop_ids(folder), ElementsAre(7));
  folder.write("generation_config.json", R"({"eos_token_id":null})");
  EXPECT_THAT(*read_stop_ids(folder), ElementsAre(7));
  folder.write("generation_config.json", R"({"eos_token_id":[3,4]})");
  EXPECT_THAT(*read_stop_ids(folder), ElementsAre(3, 4));
}

TEST(StopIds, RefusesWhatIsNone) {
  const ScratchFolder folder;
  for (const char* text : {R"({"eos_token_id":"</s>"})", R"({"eos_token_id":[1,-1]})", "{"}) {
    folder.write("config.json", text);
    const auto ids = read_stop_ids(folder);
    EXPECT_EQ(ids.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(ids.status().message()), HasSubstr("config.json"));
  }
}

}  // namespace
}  // namespace bouquet::cli
