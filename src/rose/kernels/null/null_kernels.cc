// All but the last step of a forward enqueues nothing.
#include "rose/kernels/null/null_kernels.h"

#include <thread>

#include "rose/device/cpu/cpu_device.h"
#include "rose/kernels/forwarding_kernels.h"

namespace bouquet::rose::null {
namespace {

constexpr int32_t kPeriod = 97;  // after which a row's numbers repeat

void fill(const FinishArgs& a, Cost cost) {
  const auto end = std::chrono::steady_clock::now() + cost.batch + cost.token * a.live->tokens;
  for (int32_t s = 0; s < a.live->sequences; ++s) {
    for (int32_t i = 0; i < a.x.cols; ++i) a.x.f32_row(s)[i] = 1 / static_cast<float>(1 + i % kPeriod);
  }
  if (end > std::chrono::steady_clock::now()) std::this_thread::sleep_until(end);
}

// Cutting and normalising the rows stays: what was asked for is what comes.
class NullKernels : public ForwardingKernels {
 public:
  NullKernels(Cost cost, std::unique_ptr<Kernels> finish) : ForwardingKernels(std::move(finish)), cost_(cost) {}
  std::string name() const override { return "null"; }
  absl::StatusOr<PackedMatrix> pack(Device&, DType dtype, int32_t n, int32_t k, const float*) const override {
    return PackedMatrix{.dtype = dtype, .n = n, .k = k, .data = nullptr};
  }
  void embed(Stream&, const EmbedArgs&) const override {}
  void linear(Stream&, const LinearArgs&) const override {}
  void norm(Stream&, const NormArgs&) const override {}
  void gate(Stream&, const GateArgs&) const override {}
  void rope(Stream&, const RopeArgs&) const override {}
  void attention(Stream&, const AttentionArgs&) const override {}
  void pool(Stream&, const PoolArgs&) const override {}
  void finish(Stream& stream, const FinishArgs& args) const override {
    static_cast<cpu::CpuStream&>(stream).launch([args, cost = cost_](cpu::Worker& worker) {
      if (worker.index == 0) fill(args, cost);
    });
    ForwardingKernels::finish(stream, args);
  }

 private:
  const Cost cost_;
};

}  // namespace

std::unique_ptr<Kernels> make_kernels(Cost cost, std::unique_ptr<Kernels> finish) {
  return std::make_unique<NullKernels>(cost, std::move(finish));
}

}  // namespace bouquet::rose::null
