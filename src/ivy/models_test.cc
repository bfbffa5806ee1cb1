// Models come, change and go while they are served.
#include "ivy/models.h"

#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "base/log.h"
#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/testing/fakes.h"

namespace bouquet::ivy {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_fakes::embedder_card;
using testing_fakes::FakeClient;
using testing_fakes::FakeTokenizer;

ModelSpec spec_of(const std::string& name, std::vector<std::string> upstreams) {
  ModelSpec spec;
  spec.model = spec.name = name;
  spec.upstreams = std::move(upstreams);
  return spec;
}

class ModelsTest : public testing::Test {
 protected:
  ModelsTest() { init_log(LogFormat::kText, "off"); }  // before there are threads: they log at once
  // The replica at an address, the same for all who connect there.
  std::shared_ptr<FakeClient> at(const std::string& address) {
    std::lock_guard lock(mutex_);
    auto& client = clients_[address];
    if (!client) client = std::make_shared<FakeClient>(embedder_card());
    return client;
  }
  absl::Status become(std::vector<ModelSpec> specs) {
    const absl::StatusOr<Change> change = models_.prepare(std::move(specs));
    if (change.ok()) (*change)();
    return change.status();
  }
  std::string refusal(std::vector<ModelSpec> specs) {
    return std::string(models_.prepare(std::move(specs)).status().message());
  }
  // Looks until it holds.
  bool comes_to(const std::function<bool()>& condition) {
    for (int i = 0; i < 1000 && !condition(); ++i) {
      EXPECT_TRUE(models_.look().ok());
      std::this_thread::sleep_for(5ms);
    }
    return condition();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Offer& offer : models_.catalog().get()->offers()) names.push_back(offer.name);
    return names;
  }
  std::shared_ptr<Gateway> gateway(size_t i = 0) const { return models_.catalog().get()->offers()[i].gateway; }

  static absl::StatusOr<JobResult> run(Gateway& gateway) {
    std::promise<absl::StatusOr<JobResult>> promise;
    Job job;
    job.inputs = {"a b c d e f"};
    gateway.run(std::move(job), [&](absl::StatusOr<JobResult> result) { promise.set_value(std::move(result)); });
    return promise.get_future().get();
  }

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<FakeClient>> clients_;  // under mutex_
  std::vector<std::string> loaded_;
  Models models_{[this](const ModelSpec& spec) -> absl::StatusOr<Models::Loaded> {
                   loaded_.push_back(spec.model);
                   if (spec.model == "absent") return absl::NotFoundError("no such model");
                   return Models::Loaded{std::make_shared<FakeTokenizer>(), {}};
                 },
                 [this](const UpstreamSecurity&, const std::string& address) { return at(address); }};
};

TEST_F(ModelsTest, AModelIsTakenUpWhenAReplicaHasCome) {
  at("b:1")->set_ready(false);
  ASSERT_TRUE(become({spec_of("a", {"a:1"}), spec_of("b", {"b:1"})}).ok());
  EXPECT_THAT(names(), ElementsAre("a", "b"));
  EXPECT_TRUE(comes_to([&] { return gateway(0) != nullptr; }));
  EXPECT_EQ(gateway(1), nullptr);
  EXPECT_FALSE(models_.complete());
  EXPECT_TRUE(run(*gateway(0)).ok());
  at("b:1")->set_ready(true);
  EXPECT_TRUE(comes_to([&] { return models_.complete(); }));
  EXPECT_TRUE(run(*gateway(1)).ok());
}

TEST_F(ModelsTest, UpstreamsAliasesAndRecipesChangeInPlace) {
  const ScratchFolder folder;
  ASSERT_TRUE(become({spec_of("a", {"a:1"})}).ok());
  ASSERT_TRUE(comes_to([&] { return models_.complete(); }));
  const std::shared_ptr<Gateway> held = gateway();
  EXPECT_EQ(run(*held)->tokens, 8);
  ModelSpec spec = spec_of("a", {"a:2", "a:3"});
  spec.aliases = {"alias"};
  spec.recipe = folder.write("recipe.toml", "max_length = 5");
  ASSERT_TRUE(become({spec}).ok());
  EXPECT_EQ(gateway(), held);
  EXPECT_TRUE(models_.catalog().get()->choose("alias").ok());
  EXPECT_EQ(run(*held)->tokens, 5);
  EXPECT_TRUE(comes_to([&] { return held->replicas() == 2; }));
  const size_t before = at("a:1")->chunks().size();
  EXPECT_TRUE(run(*held).ok());
  EXPECT_EQ(at("a:1")->chunks().size(), before);
  EXPECT_THAT(loaded_, ElementsAre("a"));
}

TEST_F(ModelsTest, ModelsComeAndGo) {
  ASSERT_TRUE(become({spec_of("a", {"a:1"})}).ok());
  ASSERT_TRUE(comes_to([&] { return models_.complete(); }));
  ASSERT_TRUE(become({spec_of("b", {"b:1"}), spec_of("a", {"a:1"})}).ok());
  EXPECT_THAT(names(), ElementsAre("b", "a"));
  EXPECT_NE(gateway(1), nullptr);
  ASSERT_TRUE(comes_to([&] { return models_.complete(); }));
  ASSERT_TRUE(become({spec_of("b", {"b:1"})}).ok());
  EXPECT_THAT(names(), ElementsAre("b"));
  EXPECT_FALSE(models_.catalog().get()->choose("a").ok());
}

TEST_F(ModelsTest, AModelThatIsGoneFinishesWhatItIsAt) {
  ASSERT_TRUE(become({spec_of("a", {"a:1"}), spec_of("b", {"b:1"})}).ok());
  ASSERT_TRUE(comes_to([&] { return models_.complete(); }));
  at("a:1")->hold();
  std::promise<absl::Status> promise;
  std::weak_ptr<Gateway> gone = gateway();
  {
    Job job;
    job.inputs = {"a"};
    const auto catalog = models_.catalog().get();  // as a request keeps it
    catalog->offers()[0].gateway->run(
        std::move(job), [&promise, catalog](absl::StatusOr<JobResult> result) { promise.set_value(result.status()); });
  }
  at("a:1")->wait_for_held(1);
  ASSERT_TRUE(become({spec_of("b", {"b:1"})}).ok());
  ASSERT_TRUE(models_.look().ok());
  EXPECT_FALSE(gone.expired());
  at("a:1")->release();
  EXPECT_TRUE(promise.get_future().get().ok());
  EXPECT_FALSE(gone.expired());  // on a thread that works for it, it would wait for itself
  EXPECT_TRUE(comes_to([&] { return gone.expired(); }));
}

TEST_F(ModelsTest, AnErrorInOneChangesNothing) {
  const ScratchFolder folder;
  ModelSpec a = spec_of("a", {"a:1"}), b = spec_of("b", {"b:1"});
  ASSERT_TRUE(become({a, b}).ok());
  ASSERT_TRUE(comes_to([&] { return models_.complete(); }));
  const auto before = models_.catalog().get();
  a.upstreams = {"a:2"};
  a.recipe = folder.write("good.toml", "max_length = 5");
  b.recipe = folder.write("bad.toml", "\nmax_lenght = 5");
  EXPECT_THAT(refusal({a, b}), AllOf(HasSubstr("b: "), HasSubstr("bad.toml:2: unknown key max_lenght")));
  b.recipe = folder.write("long.toml", "max_length = 17");
  EXPECT_THAT(refusal({a, b}), AllOf(HasSubstr("b: "), HasSubstr("long.toml"), HasSubstr("takes 16 tokens")));
  b.recipe.clear();
  EXPECT_THAT(refusal({a, b, spec_of("absent", {"c:1"})}), HasSubstr("absent: no such model"));
  EXPECT_THAT(refusal({a, b, spec_of("x/a", {"c:1"})}), HasSubstr("a and x/a"));
  EXPECT_THAT(refusal({a, spec_of("b", {"nowhere"})}), HasSubstr("b: the upstream nowhere has no port"));
  EXPECT_EQ(models_.catalog().get(), before);
  EXPECT_EQ(run(*gateway())->tokens, 8);
  EXPECT_EQ(at("a:2")->chunks().size(), 0u);
}

TEST_F(ModelsTest, WhatAModelIsMadeWithCannotChange) {
  ASSERT_TRUE(become({spec_of("a", {"a:1"})}).ok());
  const auto with = [](auto change) {
    ModelSpec spec = spec_of("a", {"a:1"});
    change(spec);
    return std::vector{spec};
  };
  EXPECT_THAT(refusal(with([](ModelSpec& spec) { spec.model = "b"; })), HasSubstr("a: model can't be changed"));
  EXPECT_THAT(refusal(with([](ModelSpec& spec) { spec.revision = "v2"; })), HasSubstr("revision can't"));
  EXPECT_THAT(refusal(with([](ModelSpec& spec) { spec.security.authority = "system"; })),
              HasSubstr("upstream_name can't"));
  EXPECT_THAT(refusal(with([](ModelSpec& spec) { spec.retry_share = 1; })), HasSubstr("retry_share can't"));
  EXPECT_THAT(refusal(with([](ModelSpec& spec) { spec.hedge_share = 0.01; })), HasSubstr("hedge_share can't"));
  EXPECT_THAT(refusal(with([](ModelSpec& spec) { spec.raw_token_ids = true; })), HasSubstr("raw_token_ids can't"));
  EXPECT_THAT(refusal(with([](ModelSpec& spec) { spec.result_cache_mb = 1; })), HasSubstr("result_cache_mb can't"));
}

TEST_F(ModelsTest, ReplicasThatDoNotFitAreToldOnceAndTriedWithTheNextChange) {
  const ScratchFolder folder;
  ModelSpec spec = spec_of("a", {"a:1"});
  spec.recipe = folder.write("recipe.toml", "max_length = 17");
  ASSERT_TRUE(become({spec}).ok());
  absl::Status status;
  for (int i = 0; i < 1000 && status.ok(); ++i) {
    std::this_thread::sleep_for(5ms);
    status = models_.look();
  }
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("a: "), HasSubstr("takes 16 tokens")));
  EXPECT_TRUE(models_.look().ok());
  EXPECT_EQ(gateway(), nullptr);
  folder.write("recipe.toml", "max_length = 16");
  ASSERT_TRUE(become({spec}).ok());
  EXPECT_TRUE(comes_to([&] { return models_.complete(); }));
}

}  // namespace
}  // namespace bouquet::ivy
