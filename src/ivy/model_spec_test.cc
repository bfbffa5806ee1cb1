// The models file, key by key, and what is refused of it.
#include "ivy/model_spec.h"

#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::ivy {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(std::string_view toml) {
  const auto specs = parse_models(toml, "/etc/models.toml");
  return specs.ok() ? "accepted" : std::string(specs.status().message());
}

// A model that is right but for the line.
std::string refusal_of(const std::string& line) {
  return refusal("[[model]]\nmodel = \"org/a\"\nupstreams = [\"h:1\"]\n" + line);
}

TEST(ModelsFile, ReadsEveryKey) {
  const auto specs = parse_models(R"(
[[model]]
model = "BAAI/bge"
name = "bge"
revision = "v1"
aliases = ["text-embedding-3-small", "b"]
upstreams = ["10.0.0.7:9090", "dns:bge:9090", "unix:/run/t.sock"]
upstreams_file = "bge.upstreams"
upstream_ca = "ca.pem"
upstream_cert = "/tls/cert.pem"
upstream_key = "key.pem"
upstream_name = "tulip"
retry_share = 0.5
hedge_share = 0.05
recipe = "recipes/bge.toml"
truncate = false
special_tokens_in_text = "literal"
raw_token_ids = true
result_cache_mb = 64
)",
                                  "/etc/models.toml");
  ASSERT_TRUE(specs.ok()) << specs.status();
  const ModelSpec& spec = specs->front();
  EXPECT_EQ(spec.model, "BAAI/bge");
  EXPECT_EQ(spec.name, "bge");
  EXPECT_EQ(spec.revision, "v1");
  EXPECT_THAT(spec.aliases, ElementsAre("text-embedding-3-small", "b"));
  EXPECT_THAT(spec.upstreams, ElementsAre("10.0.0.7:9090", "dns:bge:9090", "unix:/run/t.sock"));
  EXPECT_EQ(spec.upstreams_file, "/etc/bge.upstreams");
  EXPECT_EQ(spec.security, (UpstreamSecurity{"/etc/ca.pem", "/tls/cert.pem", "/etc/key.pem", "tulip"}));
  EXPECT_EQ(spec.retry_share, 0.5);
  EXPECT_EQ(spec.hedge_share, 0.05);
  EXPECT_EQ(spec.recipe, "/etc/recipes/bge.toml");
  EXPECT_FALSE(spec.truncate);
  EXPECT_TRUE(spec.literal_special_tokens && spec.raw_token_ids);
  EXPECT_EQ(spec.result_cache_mb, 64u);
  EXPECT_THAT(files_of(spec), ElementsAre("/etc/recipes/bge.toml", "/etc/bge.upstreams", "/tls/cert.pem",
                                          "/etc/key.pem", "/etc/ca.pem"));
}

TEST(ModelsFile, WhatIsLeftOutIsAsWithTheFlags) {
  const auto specs = parse_models("[[model]]\nmodel = \"org/a\"\nupstreams = [\"h:1\"]\nupstream_ca = \"system\"", "m");
  ASSERT_TRUE(specs.ok()) << specs.status();
  const ModelSpec& spec = specs->front();
  EXPECT_EQ(spec.name, "org/a");
  EXPECT_EQ(spec.revision, "main");
  EXPECT_EQ(spec.security.authority, "system");
  EXPECT_EQ(spec.recipe, "");
  EXPECT_TRUE(spec.truncate);
  EXPECT_FALSE(spec.literal_special_tokens || spec.raw_token_ids);
}

TEST(ModelsFile, TheDefaultIsFirst) {
  const auto named = [](const std::string& name, const std::string& more) {
    return "[[model]]\nmodel = \"" + name + "\"\nupstreams = [\"h:1\"]\n" + more + "\n";
  };
  const auto specs = parse_models(named("a", "") + named("b", "default = true") + named("c", "default = false"), "m");
  ASSERT_TRUE(specs.ok()) << specs.status();
  EXPECT_THAT(*specs, ElementsAre(testing::Field(&ModelSpec::model, "b"), testing::Field(&ModelSpec::model, "a"),
                                  testing::Field(&ModelSpec::model, "c")));
  EXPECT_THAT(refusal(named("a", "default = true") + named("b", "default = true")), HasSubstr("both a and b"));
}

TEST(ModelsFile, NamesPlaceKeyAndModelOfWhatIsWrong) {
  EXPECT_EQ(refusal_of(""), "accepted");
  EXPECT_EQ(refusal_of("upstrems = []"), "/etc/models.toml:4: unknown key upstrems (of the model org/a)");
  EXPECT_EQ(refusal_of("name = 7"), "/etc/models.toml:4: name must be a string (of the model org/a)");
  EXPECT_EQ(refusal_of("name = \"b\"\nrecipe = true"), "/etc/models.toml:5: recipe must be a string (of the model b)");
  for (const char* line : {"aliases = \"a\"", "default = 1", "upstreams_file = 1", "retry_share = 2",
                           "hedge_share = 0.06", "truncate = \"no\"", "raw_token_ids = 0", "result_cache_mb = -1",
                           "special_tokens_in_text = \"x\"", "upstream_ca = 1", "upstream_name = 1", "revision = 1"}) {
    const std::string key = std::string(line).substr(0, std::string_view(line).find(' '));
    EXPECT_THAT(refusal_of(line), AllOf(StartsWith("/etc/models.toml:4: " + key), HasSubstr("org/a"))) << line;
  }
}

TEST(ModelsFile, NamesWhatIsMissing) {
  EXPECT_THAT(refusal(""), HasSubstr("no [[model]]"));
  EXPECT_THAT(refusal("model = 1"), HasSubstr("no [[model]]"));
  EXPECT_THAT(refusal("models = []"), HasSubstr("models.toml:1: unknown key models"));
  EXPECT_THAT(refusal("\n[[model"), StartsWith("/etc/models.toml:2: "));
  EXPECT_THAT(refusal("[[model]]\nupstreams = [\"h:1\"]"), HasSubstr("model must be given"));
  EXPECT_THAT(refusal("[[model]]\nmodel = \"org/a\""), AllOf(HasSubstr("upstreams"), HasSubstr("org/a")));
}

TEST(ReadUpstreams, TakesTheListAndTheFile) {
  const ScratchFolder folder;
  ModelSpec spec;
  spec.upstreams = {"a:1"};
  EXPECT_THAT(*read_upstreams(spec), ElementsAre("a:1"));
  spec.upstreams_file = folder.write("list", "# ours\n\n b:2 # the second\nunix:/c\r\n");
  EXPECT_THAT(*read_upstreams(spec), ElementsAre("a:1", "b:2", "unix:/c"));
  std::filesystem::remove(spec.upstreams_file);
  EXPECT_THAT(std::string(read_upstreams(spec).status().message()), HasSubstr("list"));
}

TEST(ReadUpstreams, RefusesNoneAndWhatCannotBeReached) {
  const ScratchFolder folder;
  const auto refused = [](const ModelSpec& spec) { return std::string(read_upstreams(spec).status().message()); };
  ModelSpec spec;
  EXPECT_THAT(refused(spec), HasSubstr("no upstream"));
  spec.upstreams_file = folder.write("list", "# none\n");
  EXPECT_THAT(refused(spec), HasSubstr("list names no upstream"));
  for (const char* bad : {"host", "dns:host"}) {
    spec.upstreams = {"a:1", bad};
    EXPECT_THAT(refused(spec), HasSubstr(std::string(bad) + " has no port"));
  }
  spec.upstreams = {};
  spec.upstreams_file = folder.write("bad", "a:1\n\nbad::entry::x\n");
  EXPECT_THAT(refused(spec), AllOf(HasSubstr("bad:3: the upstream bad::entry::x"), HasSubstr("should be host:port")));
  spec.upstreams_file.clear();
  spec.upstreams = {"dns:host:1"};
  spec.security.authority = "ca.pem";
  EXPECT_THAT(refused(spec), HasSubstr("certificates"));
  spec.security.name = "tulip";
  EXPECT_EQ(refused(spec), "");
  spec.security.authority.clear();
  EXPECT_THAT(refused(spec), HasSubstr("needs TLS"));
}

TEST(ReadRecipe, SetsWhatTheSpecSaysAndThenTheFile) {
  const ScratchFolder folder;
  ModelSpec spec;
  spec.truncate = false;
  spec.literal_special_tokens = true;
  Recipe own;
  own.prompts["query"] = "q: ";
  EXPECT_FALSE(read_recipe(spec, own)->truncate);
  EXPECT_TRUE(read_recipe(spec, own)->literal_special_tokens);
  EXPECT_EQ(read_recipe(spec, own)->prompts.size(), 1u);
  spec.recipe = folder.write("recipe.toml", "truncate = true\nmax_length = 8");
  EXPECT_TRUE(read_recipe(spec, own)->truncate);
  EXPECT_EQ(read_recipe(spec, own)->max_length, 8);
}

}  // namespace
}  // namespace bouquet::ivy
