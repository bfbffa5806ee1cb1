// Jobs through the gateway: joined by index, cancelled, retried, refused, handed back where they belong.
#include "ivy/gateway.h"

#include <future>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ivy/failure.h"
#include "ivy/testing/fakes.h"

namespace bouquet::ivy {
namespace {

using testing::HasSubstr;
using testing_fakes::embedder_card;
using testing_fakes::FakeClient;
using testing_fakes::FakeTokenizer;
using testing_fakes::fleet_of;
using testing_fakes::make_gateway;
using testing_fakes::reranker_card;

absl::StatusOr<JobResult> run(Gateway& gateway, Job job) {
  std::promise<absl::StatusOr<JobResult>> promise;
  gateway.run(std::move(job), [&](absl::StatusOr<JobResult> result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

Job texts(size_t count) {
  Job job;
  for (size_t i = 0; i < count; ++i)
    job.inputs.emplace_back("word" + std::to_string(i) + std::string(i % 9, ' ') + "x");
  return job;
}

TEST(Gateway, JoinsManyChunksByIndex) {
  auto client = std::make_shared<FakeClient>(embedder_card());
  auto gateway = make_gateway({client});
  for (const size_t count : {1, 33, 100, 270, 2048}) {
    const auto all = run(*gateway, texts(count));
    ASSERT_TRUE(all.ok()) << all.status();
    ASSERT_EQ(all->values.size(), count * 4);
    for (const size_t i : {size_t{0}, count / 2, count - 1}) {
      Job one;
      one.inputs = {texts(count).inputs[i]};
      const auto alone = run(*gateway, std::move(one));
      for (size_t k = 0; k < 4; ++k) EXPECT_EQ(all->row(i)[k], alone->row(0)[k]) << i;
    }
  }
  for (const tulip::Chunk& chunk : client->chunks()) EXPECT_LE(chunk.ids.size(), 32u);
}

TEST(Gateway, ACacheRunsEachTextOnce) {
  auto client = std::make_shared<FakeClient>(embedder_card());
  auto gateway = make_gateway({client}, {.result_cache_bytes = 16 << 20});
  const auto first = run(*gateway, texts(2048));
  ASSERT_TRUE(first.ok()) << first.status();
  const size_t chunks = client->chunks().size();
  const auto again = run(*gateway, texts(2048));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->values, first->values);
  EXPECT_EQ(client->chunks().size(), chunks);
  EXPECT_EQ(again->tokens, first->tokens);
}

TEST(Gateway, ChoosesTheLaneBySizeUnlessTold) {
  auto client = std::make_shared<FakeClient>(embedder_card());
  auto gateway = make_gateway({client});
  ASSERT_TRUE(run(*gateway, texts(2)).ok());
  EXPECT_EQ(client->chunks().back().lane, tulip::Lane::kOnline);
  ASSERT_TRUE(run(*gateway, texts(20)).ok());
  EXPECT_EQ(client->chunks().back().lane, tulip::Lane::kBulk);
  Job told = texts(20);
  told.options.lane = tulip::Lane::kOnline;
  told.request_id = "id-7";
  ASSERT_TRUE(run(*gateway, std::move(told)).ok());
  EXPECT_EQ(client->chunks().back().lane, tulip::Lane::kOnline);
  EXPECT_EQ(client->chunks().back().request_id, "id-7");
}

TEST(Gateway, ReportsTokensTimesAndCuts) {
  auto gateway = make_gateway({std::make_shared<FakeClient>(embedder_card())});
  Job job;
  job.inputs = {"a b", std::string(100, 'a') + " b c d e f g h i j k l m n o p q r s"};
  const auto result = run(*gateway, std::move(job));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->tokens, 4 + 16);
  EXPECT_EQ(result->truncated, 1);
  EXPECT_EQ(result->times.queue_us, 1000u);
  EXPECT_EQ(result->times.compute_us, 2000u);
}

TEST(Gateway, ChecksDimensionsAndOutputs) {
  auto embedder = make_gateway({std::make_shared<FakeClient>(embedder_card())});
  for (const int64_t wrong : {int64_t{0}, int64_t{-1}, int64_t{5}, int64_t{1} << 40}) {
    Job job = texts(1);
    job.options.dimensions = wrong;
    EXPECT_EQ(field_of(run(*embedder, std::move(job)).status()), "dimensions");
  }
  Job cut = texts(3);
  cut.options.dimensions = 2;
  const auto result = run(*embedder, std::move(cut));
  EXPECT_EQ(result->row_size, 2);
  EXPECT_NEAR(std::hypot(result->row(2)[0], result->row(2)[1]), 1.0, 1e-6);

  Job score = texts(1);
  score.task = Task::kScore;
  score.query = "q";
  EXPECT_EQ(run(*embedder, score).status().code(), absl::StatusCode::kFailedPrecondition);
  auto reranker = make_gateway({std::make_shared<FakeClient>(reranker_card())});
  EXPECT_TRUE(run(*reranker, score).ok());
  EXPECT_THAT(std::string(run(*reranker, texts(1)).status().message()), HasSubstr("gives no embeddings"));
  auto classifier = make_gateway({std::make_shared<FakeClient>(reranker_card(3))});
  EXPECT_EQ(run(*classifier, score).status().code(), absl::StatusCode::kFailedPrecondition);
  Job empty;
  EXPECT_EQ(fault_of(run(*embedder, std::move(empty)).status()), InputFault::kEmpty);
}

TEST(Gateway, AFailureReachesTheCallerAndStopsTheRest) {
  auto client = std::make_shared<FakeClient>(embedder_card());
  auto gateway = make_gateway({client});
  client->fail_with(tulip::overloaded_error("queue full", std::chrono::milliseconds(1500)));
  const auto refused = run(*gateway, texts(100));
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(tulip::retry_after(refused.status()), std::chrono::milliseconds(1500));
  client->fail_with(absl::OkStatus());
  client->fail_sequence(absl::InternalError("not finite"));
  EXPECT_THAT(std::string(run(*gateway, texts(2)).status().message()), HasSubstr("input[0]: not finite"));
  client->fail_sequence(absl::OkStatus());
  EXPECT_TRUE(run(*gateway, texts(2)).ok());
}

TEST(Gateway, CancellationReachesTheReplica) {
  auto client = std::make_shared<FakeClient>(embedder_card());
  auto gateway = make_gateway({client});
  client->hold();
  std::stop_source stop;
  Job job = texts(1);
  job.call.cancelled = stop.get_token();
  std::promise<absl::Status> promise;
  gateway->run(std::move(job), [&](absl::StatusOr<JobResult> result) { promise.set_value(result.status()); });
  client->wait_for_held(1);
  EXPECT_FALSE(client->held_token().stop_requested());
  stop.request_stop();
  EXPECT_TRUE(client->held_token().stop_requested());
  client->release();
  EXPECT_EQ(promise.get_future().get().code(), absl::StatusCode::kCancelled);
}

TEST(Gateway, ALostReplicaIsReplacedByAnother) {
  auto bad = std::make_shared<FakeClient>(embedder_card());
  auto good = std::make_shared<FakeClient>(embedder_card());
  auto gateway = make_gateway({bad, good});
  bad->fail_with(absl::UnavailableError("gone"));
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(run(*gateway, texts(50)).ok());
  good->fail_with(absl::UnavailableError("gone too"));
  EXPECT_EQ(run(*gateway, texts(2)).status().code(), absl::StatusCode::kUnavailable);
}

TEST(Gateway, IsReadyWhenAReplicaIs) {
  auto client = std::make_shared<FakeClient>(embedder_card());
  auto gateway = make_gateway({client});
  EXPECT_TRUE(gateway->ready());
  client->set_ready(false);
  EXPECT_FALSE(gateway->ready());
  EXPECT_EQ(run(*gateway, texts(1)).status().code(), absl::StatusCode::kUnavailable);
}

TEST(Gateway, RefusesWhatDoesNotFitTheReplicas) {
  const auto tokenizer = std::make_shared<FakeTokenizer>();
  EXPECT_FALSE(Gateway::create({}, tokenizer, std::make_shared<Fleet>(FleetOptions{})).ok());
  GatewayOptions labels;
  labels.labels = {"a", "b"};
  EXPECT_FALSE(Gateway::create(labels, tokenizer, fleet_of({std::make_shared<FakeClient>(reranker_card())})).ok());
}

TEST(Gateway, SmallResultsComeBackOnTheCallersExecutor) {
  auto gateway = make_gateway({std::make_shared<FakeClient>(embedder_card())});
  std::promise<void> used, done;
  Job job = texts(1);
  job.reply_on = [&](Work work) {
    used.set_value();
    work();
  };
  gateway->run(std::move(job), [&](absl::StatusOr<JobResult>) { done.set_value(); });
  used.get_future().wait();
  done.get_future().wait();
}

TEST(Gateway, LargeJobsGoToTheWorkers) {
  auto gateway = make_gateway({std::make_shared<FakeClient>(embedder_card())});
  Job job;
  job.inputs = {std::string(100'000, 'a')};
  EXPECT_TRUE(run(*gateway, std::move(job)).ok());
}

TEST(Gateway, JobsKeepTheRecipeTheyBeganWith) {
  GatewayOptions options;
  options.recipe.max_length = 5;
  auto client = std::make_shared<FakeClient>(embedder_card());
  auto gateway = make_gateway({client}, options);
  Job job;
  job.inputs = {"a b c d e f"};
  client->hold();
  std::promise<int64_t> held;
  gateway->run(job, [&](absl::StatusOr<JobResult> result) { held.set_value(result->tokens); });
  client->wait_for_held(1);
  Recipe longer = *gateway->recipe();
  longer.max_length = 6;
  ASSERT_TRUE(gateway->accepts(longer).ok());
  gateway->use(longer);
  client->release();
  EXPECT_EQ(held.get_future().get(), 5);
  EXPECT_EQ(gateway->max_length(), 6);
  EXPECT_EQ(run(*gateway, job)->tokens, 6);
}

TEST(Gateway, RefusesARecipeForLongerTextsThanTheModelTakes) {
  GatewayOptions options;
  options.recipe.max_length = 17;
  const auto client = std::make_shared<FakeClient>(embedder_card());
  const auto gateway = Gateway::create(options, std::make_shared<FakeTokenizer>(), fleet_of({client}));
  EXPECT_THAT(std::string(gateway.status().message()), HasSubstr("takes 16 tokens"));
  EXPECT_FALSE(make_gateway({client})->accepts(options.recipe).ok());
}

TEST(Gateway, ServesManyThreadsAtOnce) {
  auto gateway =
      make_gateway({std::make_shared<FakeClient>(embedder_card()), std::make_shared<FakeClient>(embedder_card())});
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < 25; ++i)
        good += run(*gateway, texts(1 + (i * 7 + static_cast<size_t>(t)) % 60)).ok() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 100);
}

tulip::ModelCard many_outputs_card() {
  tulip::ModelCard card = embedder_card();
  card.outputs = {tulip::Output::kEmbedding, tulip::Output::kTokens, tulip::Output::kLexical};
  return card;
}

TEST(Gateway, GivesAVectorForEachToken) {
  auto gateway = make_gateway({std::make_shared<FakeClient>(many_outputs_card())});
  Job job = texts(100);
  job.task = Task::kTokens;
  const auto result = run(*gateway, std::move(job));
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->row_counts.size(), 100u);
  int64_t rows = 0;
  for (const int32_t count : result->row_counts) rows += count;
  EXPECT_EQ(rows, result->tokens);
  EXPECT_EQ(result->values.size(), static_cast<size_t>(rows) * 4);
}

TEST(Gateway, GivesAVectorForEachChunkOfADocument) {
  auto client = std::make_shared<FakeClient>(many_outputs_card());
  auto gateway = make_gateway({client});
  Job job;
  job.task = Task::kContext;
  job.options.normalize = false;
  job.inputs = {ChunkedText{"a b", "c"}, ChunkedText{"d"}, ChunkedText{"e", "f", "g h i"}};
  const auto result = run(*gateway, std::move(job));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->row_counts, testing::ElementsAre(2, 1, 3));
  ASSERT_EQ(result->values.size(), 6u * 4);
  for (const int row : {0, 5}) EXPECT_GT(result->values[row * 4 + 1], 1) << "tokens of a chunk of more than one word";
  EXPECT_EQ(result->values[1 * 4 + 1], 1);
  Job empty;
  empty.task = Task::kContext;
  empty.inputs = {ChunkedText{"a", ""}};
  EXPECT_THAT(std::string(run(*gateway, std::move(empty)).status().message()), HasSubstr("input[0][1] is empty"));
}

TEST(Gateway, GivesSparseVectorsWithoutSpecialTokens) {
  auto gateway = make_gateway({std::make_shared<FakeClient>(many_outputs_card())});
  Job job = texts(50);
  job.task = Task::kSparse;
  const auto result = run(*gateway, std::move(job));
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->sparse.size(), 50u);
  FakeTokenizer tokenizer;
  for (const SparseVector& vector : result->sparse) {
    ASSERT_EQ(vector.indices.size(), vector.values.size());
    EXPECT_TRUE(std::is_sorted(vector.indices.begin(), vector.indices.end()));
    for (const int32_t id : vector.indices) EXPECT_FALSE(tokenizer.is_special(id));
    for (const float weight : vector.values) EXPECT_GT(weight, 0);
  }
  auto plain = make_gateway({std::make_shared<FakeClient>(embedder_card())});
  Job refused = texts(1);
  refused.task = Task::kSparse;
  EXPECT_THAT(std::string(run(*plain, std::move(refused)).status().message()), HasSubstr("gives no sparse vectors"));
}

}  // namespace
}  // namespace bouquet::ivy
