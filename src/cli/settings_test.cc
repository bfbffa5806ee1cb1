// Flag over environment over file; unknown keys and wrong values are errors with their place.
#include "cli/settings.h"

#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Parsed {
  int port = 1;
  bool quiet = false;
  std::string name = "default";
  std::vector<std::string> keys;
  absl::Status status;
};

Parsed parse(const std::vector<std::string>& arguments, const std::string& toml = "") {
  Parsed p;
  CLI::App app;
  app.add_option("--max-port", p.port);
  app.add_flag("--quiet,!--loud", p.quiet);
  app.add_option("--name", p.name);
  app.add_option("--key", p.keys);
  app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  const ScratchFolder folder;
  p.status = apply_settings(app, toml.empty() ? std::filesystem::path() : folder.write("settings.toml", toml));
  return p;
}

TEST(Settings, TheCommandLineWinsThenTheEnvironmentThenTheFile) {
  setenv("BOUQUET_MAX_PORT", "2", 1);
  setenv("BOUQUET_KEY", "a,b", 1);
  const Parsed p = parse({"--name", "line"}, "max-port = 3\nname = \"file\"\nquiet = true\n");
  unsetenv("BOUQUET_MAX_PORT");
  unsetenv("BOUQUET_KEY");
  EXPECT_TRUE(p.status.ok()) << p.status;
  EXPECT_EQ(p.port, 2);
  EXPECT_EQ(p.name, "line");
  EXPECT_TRUE(p.quiet);
  EXPECT_THAT(p.keys, ElementsAre("a", "b"));
  const Parsed q = parse({}, "name = \"a#b\"\nkey = [\"x\", \"y\"]\n");
  EXPECT_EQ(q.name, "a#b");
  EXPECT_THAT(q.keys, ElementsAre("x", "y"));
}

TEST(Settings, WhatIsWrongIsNamed) {
  EXPECT_THAT(std::string(parse({}, "max-prot = 3\n").status.message()), HasSubstr("max-prot"));
  EXPECT_THAT(std::string(parse({}, "max-port = \"many\"\n").status.message()), HasSubstr("max-port"));
  EXPECT_THAT(std::string(parse({}, "max-port = \n").status.message()), HasSubstr(":1"));
  setenv("BOUQUET_MAX_PORT", "x", 1);
  EXPECT_THAT(std::string(parse({}).status.message()), HasSubstr("BOUQUET_MAX_PORT"));
  unsetenv("BOUQUET_MAX_PORT");
}

}  // namespace
}  // namespace bouquet::cli
