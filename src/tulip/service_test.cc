// A model that yields NaN fails its own items with INTERNAL, is counted, and the service stays well; a step that hangs
// makes the service not ready; batches accumulate while two are in flight.
#include "tulip/service.h"

#include <cmath>
#include <future>
#include <latch>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rose/device/cpu/cpu_device.h"
#include "rose/kernels/cpu/cpu_kernels.h"
#include "rose/kernels/forwarding_kernels.h"

namespace bouquet::tulip {
namespace {

using rose::cpu::CpuStream;
using rose::cpu::Isa;
using rose::cpu::Worker;

constexpr int32_t kPoison = 25;  // a token id

// Sequences that start with kPoison come out as NaN; everything waits at the gate when there is one.
class SpoiledKernels : public rose::ForwardingKernels {
 public:
  SpoiledKernels() : ForwardingKernels(rose::cpu::make_kernels(Isa::kPortable)) {}
  void embed(rose::Stream& stream, const rose::EmbedArgs& args) const override {
    enqueued_by = std::this_thread::get_id();
    ids_ = args.ids;
    static_cast<CpuStream&>(stream).launch([this](Worker& worker) {
      if (worker.index == 0 && gate) gate->wait();
    });
    ForwardingKernels::embed(stream, args);
  }
  void finish(rose::Stream& stream, const rose::FinishArgs& args) const override {
    ForwardingKernels::finish(stream, args);
    static_cast<CpuStream&>(stream).launch([ids = ids_, args](Worker& worker) {
      for (int32_t row = 0; worker.index == 0 && row < *args.rows; ++row) {
        if (ids[args.plans[row].begin] == kPoison) args.y.f32_row(row)[0] = std::nanf("");
      }
    });
  }
  std::shared_ptr<std::latch> gate;
  mutable std::thread::id enqueued_by;  // whose forward was the last, eagerly

 private:
  mutable const int32_t* ids_ = nullptr;  // of the forward being enqueued
};

std::unique_ptr<Service> serve(const std::shared_ptr<SpoiledKernels>& kernels, ServiceOptions options = {}) {
  constexpr const char* model = BOUQUET_SOURCE_DIR "/tests/golden/models/pool-mean";
  options.tune = false;
  return *Service::create(*rose::Engine::load(model, {.threads = 2, .own_kernels = kernels}), options);
}

std::future<absl::StatusOr<Reply>> call(Service& service, Chunk chunk) {
  auto promise = std::make_shared<std::promise<absl::StatusOr<Reply>>>();
  service.run(std::move(chunk), {}, [promise](absl::StatusOr<Reply> reply) { promise->set_value(std::move(reply)); });
  return promise->get_future();
}

TEST(Service, NanFailsItsOwnItemOnly) {
  const auto service = serve(std::make_shared<SpoiledKernels>());
  const auto reply = call(*service, {.ids = {20, kPoison, 21}, .lengths = {1, 1, 1}}).get();
  ASSERT_TRUE(reply.ok());
  ASSERT_EQ(reply->failures.size(), 1u);
  EXPECT_EQ(reply->failures[0].index, 1);
  EXPECT_EQ(reply->failures[0].status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(metrics().render(), testing::HasSubstr("bouquet_tulip_nonfinite_total 1"));
  EXPECT_TRUE(call(*service, {.ids = {20}, .lengths = {1}}).get()->failures.empty());
  EXPECT_TRUE(service->ready());
}

TEST(Service, ArrivalsAccumulateWhileTwoBatchesAreInFlight) {
  auto kernels = std::make_shared<SpoiledKernels>();
  ServiceOptions options;
  options.stuck_after = std::chrono::seconds(0);
  const auto service = serve(kernels, options);
  kernels->gate = std::make_shared<std::latch>(1);
  std::vector<std::future<absl::StatusOr<Reply>>> replies;
  for (int i = 0; i < 2; ++i) {  // one batch each: the runner takes the first while the second arrives
    replies.push_back(call(*service, {.ids = std::vector<int32_t>(40, 20), .lengths = {40}}));
    while (service->load().queued_tokens > 0) std::this_thread::yield();
  }
  for (int i = 0; i < 3; ++i) replies.push_back(call(*service, {.ids = {20, 21}, .lengths = {2}}));
  EXPECT_EQ(service->load().queued_tokens, 6u);  // both slots are taken: these wait, whole
  EXPECT_FALSE(service->ready());                // and a step in flight past stuck_after shows
  kernels->gate->count_down();
  for (auto& reply : replies) EXPECT_TRUE(reply.get().ok());
  EXPECT_GT(service->load().tokens_per_second, 0u);
  EXPECT_TRUE(service->ready());
}

TEST(Service, ACallThatFindsTheEngineIdleEnqueuesItsOwnBatch) {
  auto kernels = std::make_shared<SpoiledKernels>();
  ServiceOptions options;
  options.runner.graphs.mode = GraphMode::kOff;
  const auto service = serve(kernels, options);
  int own = 0;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(call(*service, {.ids = {20, 21}, .lengths = {2}}).get().ok());
    own += kernels->enqueued_by == std::this_thread::get_id();
  }
  EXPECT_GT(own, 0);  // not always: the runner may just be looking
}

TEST(Service, ShuttingDownAnswersEverything) {
  auto service = serve(std::make_shared<SpoiledKernels>());
  std::vector<std::future<absl::StatusOr<Reply>>> replies;
  for (int i = 0; i < 50; ++i)
    replies.push_back(call(*service, {.ids = std::vector<int32_t>(40, 20), .lengths = {40}}));
  service.reset();
  for (auto& reply : replies) {
    const auto answer = reply.get();
    EXPECT_TRUE(answer.ok() || absl::IsUnavailable(answer.status())) << answer.status();
  }
}

TEST(Service, GivesARowForEachSpanAndEachToken) {
  const auto service = serve(std::make_shared<SpoiledKernels>());
  Chunk chunk{.ids = {2, 5, 6, 3, 2, 9, 3}, .lengths = {4, 3}, .spans = {0, 4, 1, 3, 0, 3}, .span_counts = {2, 1}};
  chunk.spec = {.output = Output::kEmbedding, .dimensions = 5, .normalize = false};
  const Reply by_span = *call(*service, chunk).get();
  ASSERT_EQ(by_span.row_size, 5);
  ASSERT_EQ(by_span.values.size(), 3u * 5);
  chunk.spans.clear();
  chunk.span_counts.clear();
  const Reply whole = *call(*service, chunk).get();
  EXPECT_TRUE(std::equal(whole.values.begin(), whole.values.begin() + 5, by_span.values.begin()));
  EXPECT_TRUE(std::equal(whole.values.begin() + 5, whole.values.end(), by_span.values.begin() + 10));
  chunk.spec.output = Output::kTokens;
  const Reply tokens = *call(*service, chunk).get();
  ASSERT_EQ(tokens.values.size(), 7u * 5);
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR((tokens.values[5 + i] + tokens.values[10 + i]) / 2, by_span.values[5 + i], 1e-5);
  }
}

TEST(CheckChunk, AWellFormedOnePasses) {
  rose::EngineInfo info;
  info.model.max_tokens = 4;
  info.model.vocab_size = 10;
  info.model.type_vocab_size = 2;
  info.model.dimensions = 8;
  info.outputs = {{rose::Output::kEmbedding, 8}};
  info.max_batch_sequences = 4;
  EXPECT_TRUE(check_chunk({.ids = {1, 2, 3}, .lengths = {1, 2}, .token_types = {0, 1, 0}}, info).ok());
  EXPECT_THAT(std::string(check_chunk({.ids = {1, 2, 10}, .lengths = {1, 2}}, info).message()),
              testing::HasSubstr("token id 10"));
  Chunk spans{.ids = {1, 2, 3}, .lengths = {1, 2}, .spans = {0, 1, 0, 1, 1, 2}, .span_counts = {1, 2}};
  EXPECT_TRUE(check_chunk(spans, info).ok());
  for (const std::vector<int32_t>& wrong : {std::vector<int32_t>{0, 1, 0, 1},
                                            {0, 1, 0, 1, 1, 3},
                                            {0, 1, 1, 1, 1, 2},
                                            {0, 1, -1, 1, 1, 2},
                                            {0, 1, 0, 1, 1, 2, 0, 1}}) {
    spans.spans = wrong;
    EXPECT_TRUE(absl::IsInvalidArgument(check_chunk(spans, info)));
  }
  EXPECT_THAT(std::string(check_chunk({.ids = {1}, .lengths = {1}, .spec = {Output::kMultiVector}}, info).message()),
              testing::HasSubstr("does not give"));
}

}  // namespace
}  // namespace bouquet::tulip
