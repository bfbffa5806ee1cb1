// Tulip end to end through both clients: golden rows, deadlines, cancellation, refusal, drain. The second goes over
// gRPC, so nothing is lost on the way between processes.
#include <future>
#include <thread>

#include "gmock/gmock.h"
#include "golden_case.h"
#include "gtest/gtest.h"
#include "loopback_client.h"
#include "tulip/local_client.h"

namespace bouquet {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using tulip::Chunk;
using tulip::Clock;
using tulip::Output;

std::shared_ptr<tulip::Service> serve(const fs::path& model, tulip::ServiceOptions options = {}) {
  return *tulip::Service::create(*rose::Engine::load(model, {.threads = 2}), options);
}

absl::StatusOr<tulip::Reply> call(tulip::Client& client, Chunk chunk, tulip::CallOptions options = {}) {
  std::promise<absl::StatusOr<tulip::Reply>> promise;
  client.run(std::move(chunk), std::move(options),
             [&](absl::StatusOr<tulip::Reply> reply) { promise.set_value(std::move(reply)); });
  return promise.get_future().get();
}

Chunk chunk_of(const GoldenCase& golden, tulip::OutputSpec spec) {
  const FlatBatch flat(golden);
  return {.ids = flat.ids, .lengths = flat.lengths, .token_types = flat.types, .spec = spec};
}

class TulipGolden : public testing::TestWithParam<const char*> {
 protected:
  std::shared_ptr<tulip::Client> client_of(std::shared_ptr<tulip::Service> service) {
    if (std::string(GetParam()) == "local") return tulip::make_local_client(std::move(service));
    return std::make_shared<LoopbackClient>(std::move(service));
  }
};

void check_rows(tulip::Client& client, const fs::path& golden_file, tulip::OutputSpec spec) {
  const GoldenCase golden = read_golden(golden_file);
  for (int round = 0; round < 3; ++round) {  // eager, captured, replayed
    const auto reply = call(client, chunk_of(golden, spec));
    ASSERT_TRUE(reply.ok()) << golden_file << reply.status();
    EXPECT_TRUE(reply->failures.empty());
    for (size_t i = 0; i < golden.rows.size(); ++i) {
      for (int k = 0; k < reply->row_size; ++k) {
        ASSERT_NEAR(reply->values[i * reply->row_size + k], golden.rows[i][k],
                    (spec.output == Output::kLogits ? 1e-4f : 1e-5f) * largest_of(golden.rows[i]))
            << golden_file;
      }
    }
  }
}

TEST_P(TulipGolden, RowsAreTheReferences) {
  int models = 0;
  for (const auto& entry : fs::directory_iterator(kGoldenFolder / "models")) {
    auto engine = rose::Engine::load(entry.path(), {.threads = 2});
    if (absl::IsUnimplemented(engine.status()) || !fs::exists(entry.path() / "golden.safetensors")) continue;
    ASSERT_TRUE(engine.ok()) << engine.status();
    const std::shared_ptr<tulip::Service> service = *tulip::Service::create(*std::move(engine), {});
    const auto output = static_cast<Output>(service->info().outputs.front().output);
    check_rows(*client_of(service), entry.path() / "golden.safetensors", {output, 0, service->info().model.normalize});
    ++models;
  }
  EXPECT_GE(models, 80);
}

TEST_P(TulipGolden, TheRealModel) {
  const auto model = real_model();
  if (!model) GTEST_SKIP() << "BOUQUET_TEST_MODEL names no model directory";
  check_rows(*client_of(serve(*model)), kGoldenFolder / "minilm.safetensors", {Output::kEmbedding, 0, true});
}

TEST_P(TulipGolden, ManyCallersGetTheirOwnRows) {
  const fs::path model = kGoldenFolder / "models" / "pool-mean";
  const GoldenCase golden = read_golden(model / "golden.safetensors");
  auto client = client_of(serve(model));
  std::vector<std::jthread> callers;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t) {
    callers.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const size_t at = (t * 7 + i) % golden.ids.size();
        const GoldenCase one{{golden.ids[at]}, {golden.types[at]}, {}};
        Chunk chunk = chunk_of(one, {Output::kEmbedding, 0, true});
        chunk.lane = i % 3 ? tulip::Lane::kOnline : tulip::Lane::kBulk;
        const auto reply = call(*client, std::move(chunk));
        wrong += !reply.ok() || std::abs(reply->values[0] - golden.rows[at][0]) > 1e-5;
      }
    });
  }
  callers.clear();
  EXPECT_EQ(wrong, 0);
}

TEST_P(TulipGolden, DeadlinesAndCancellation) {
  auto client = client_of(serve(kGoldenFolder / "models" / "pool-mean"));
  const Chunk chunk{.ids = {2, 20, 3}, .lengths = {3}};
  EXPECT_EQ(call(*client, chunk, {.deadline = Clock::now() - 1s}).status().code(), absl::StatusCode::kDeadlineExceeded);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(call(*client, chunk, {.cancelled = source.get_token()}).status().code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(call(*client, chunk, {.deadline = Clock::now() + 30s}).ok());
}

TEST_P(TulipGolden, RefusesWhatItCannotRun) {
  auto client = client_of(serve(kGoldenFolder / "models" / "pool-mean"));
  const Chunk bad[] = {
      {},
      {.ids = {2, 3}, .lengths = {3}},
      {.ids = {2, 3}, .lengths = {2, 0}},
      {.ids = {2, 100000}, .lengths = {2}},
      {.ids = {2, -1}, .lengths = {2}},
      {.ids = std::vector<int32_t>(100, 2), .lengths = {100}},
      {.ids = {2, 3}, .lengths = {2}, .token_types = {0, 9}},
      {.ids = {2, 3}, .lengths = {2}, .spec = {.dimensions = 33}},
      {.ids = {2, 3}, .lengths = {2}, .spec = {.output = Output::kLogits}},
      {.ids = std::vector<int32_t>(3 << 20, 2), .lengths = std::vector<int32_t>(3 << 20, 1)},
  };
  for (const Chunk& chunk : bad) EXPECT_EQ(call(*client, chunk).status().code(), absl::StatusCode::kInvalidArgument);
  const Chunk foreign{.ids = {2, 3}, .lengths = {2}, .weights_fingerprint = 1};
  EXPECT_EQ(call(*client, foreign).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_P(TulipGolden, OverloadIsRefusedAndDrainAnswersEverything) {
  tulip::ServiceOptions options;
  options.runner.admission.max_queued_tokens = 200;
  auto service = serve(kGoldenFolder / "models" / "pool-mean", options);
  auto client = client_of(service);
  std::atomic<int> ok{0}, refused{0}, draining{0}, other{0};
  for (int i = 0; i < 400; ++i) {
    client->run({.ids = std::vector<int32_t>(40, 20), .lengths = {40}}, {}, [&](absl::StatusOr<tulip::Reply> reply) {
      if (reply.ok()) {
        ++ok;
      } else if (absl::IsResourceExhausted(reply.status()) && tulip::retry_after(reply.status()) > 0ms) {
        ++refused;
      } else {
        ++(absl::IsUnavailable(reply.status()) ? draining : other);
      }
    });
  }
  while (ok + refused < 100) std::this_thread::sleep_for(1ms);  // between processes they take a while to arrive
  service->drain();
  while (ok + refused + draining + other < 400) std::this_thread::sleep_for(1ms);
  EXPECT_GT(ok, 0);
  EXPECT_GT(refused, 0);
  EXPECT_EQ(other, 0);
  for (int i = 0; i < 100 && client->ready(); ++i) std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(client->ready());
  EXPECT_EQ(call(*client, {.ids = {2, 3}, .lengths = {2}}).status().code(), absl::StatusCode::kUnavailable);
}

INSTANTIATE_TEST_SUITE_P(Clients, TulipGolden, testing::Values("local", "grpc"));

}  // namespace
}  // namespace bouquet
