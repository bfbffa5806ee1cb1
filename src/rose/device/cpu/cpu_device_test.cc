// The device contract on the CPU: asynchronous, in order, captured work runs only when replayed.
#include "rose/device/cpu/cpu_device.h"

#include <latch>

#include "gtest/gtest.h"

namespace bouquet::rose::cpu {
namespace {

TEST(CpuStream, WorkIsAsynchronousAndInOrder) {
  CpuDevice device({.threads = 2});
  auto stream = device.create_stream();
  auto& cpu = static_cast<CpuStream&>(*stream);
  std::latch gate(1);
  std::vector<int> order;
  cpu.launch([&](Worker& worker) {
    if (worker.index == 0) {
      gate.wait();
      order.push_back(1);
    }
  });
  cpu.launch([&](Worker& worker) {
    if (worker.index == 0) order.push_back(2);
  });
  auto event = device.create_event();
  stream->record(*event);
  EXPECT_FALSE(event->ready());  // both launches returned while the first still waits
  gate.count_down();
  ASSERT_TRUE(event->wait().ok());
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(CpuStream, CaptureRecordsAndReplayRuns) {
  CpuDevice device({.threads = 2});
  auto stream = device.create_stream();
  auto& cpu = static_cast<CpuStream&>(*stream);
  int value = 1, copied = 0;
  stream->begin_capture();
  cpu.launch([&](Worker& worker) {
    if (worker.index == 0) value *= 10;
  });
  stream->copy(&copied, &value, sizeof(int));
  std::shared_ptr<const Graph> graph = stream->end_capture();
  EXPECT_EQ(graph->launches(), 2u);
  stream->replay(graph);
  stream->replay(graph);
  auto event = device.create_event();
  stream->record(*event);
  ASSERT_TRUE(event->wait().ok());
  EXPECT_EQ(copied, 100);
}

TEST(CpuStream, DestructionRunsWhatIsEnqueued) {
  CpuDevice device({.threads = 1});
  int ran = 0;
  {
    auto stream = device.create_stream();
    for (int i = 0; i < 100; ++i) static_cast<CpuStream&>(*stream).launch([&](Worker&) { ++ran; });
  }
  EXPECT_EQ(ran, 100);
}

}  // namespace
}  // namespace bouquet::rose::cpu
