// Puts a level's functions on a stream. Compiled for the oldest processor: nothing here may use newer instructions.
#include "rose/kernels/cpu/cpu_kernels.h"

#include <algorithm>
#include <string>

#include "rose/device/cpu/cpu_device.h"
#include "rose/kernels/cpu/level.h"
#include "rose/kernels/cpu/packing.h"

namespace bouquet::rose::cpu {

namespace {

// A worker thread's own memory, kept between launches and grown when a longer sequence comes.
float* thread_scratch(int64_t floats) {
  thread_local std::vector<float> memory;
  constexpr int64_t kSlack = 16;  // floats: to align the start to 64 bytes
  if (static_cast<int64_t>(memory.size()) < floats + kSlack) memory.resize(floats + kSlack);
  const auto address = reinterpret_cast<uintptr_t>(memory.data());
  return reinterpret_cast<float*>((address + 63) / 64 * 64);
}

// Tokens of the longest sequence, those before the batch's included.
int32_t longest_in_pages(const AttentionArgs& a) {
  int32_t longest = 0;
  for (int32_t s = 0; s < a.live->sequences; ++s) {
    longest = std::max(longest, a.pages.past[s] + a.cu_seqlens[s + 1] - a.cu_seqlens[s]);
  }
  return longest;
}

class CpuKernels : public Kernels {
 public:
  explicit CpuKernels(Isa isa) : isa_(isa), level_(level_of(isa)) {}

  std::string name() const override { return std::string(name_of(isa_)); }

  absl::StatusOr<PackedMatrix> pack(Device& device, DType dtype, int32_t n, int32_t k,
                                    const float* weight) const override {
    return pack_panels(device, dtype, n, k, weight);
  }

  void linear(Stream& stream, const LinearArgs& args) const override { launch_over(stream, level_.linear, args); }
  void vocabulary(Stream& stream, const VocabularyArgs& args) const override {
    launch_over(stream, level_.vocabulary, args);
  }

  void attention(Stream& stream, const AttentionArgs& args) const override {
    launch(stream, [kernel = level_.attention, args](Worker& worker) {
      kernel(args, worker,
             thread_scratch(attention_scratch(args.live->longest, args.shape.head_dim, args.disentangled.places)));
    });
  }

  void store(Stream& stream, const AttentionArgs& args) const override { launch_with(stream, level_.store, args); }

  void paged_attention(Stream& stream, const AttentionArgs& args) const override {
    launch(stream, [kernel = level_.paged_attention, args](Worker& worker) {
      kernel(args, worker, thread_scratch(paged_scratch(longest_in_pages(args), args.shape.head_dim)));
    });
  }

  void embed(Stream& stream, const EmbedArgs& args) const override { launch_with(stream, level_.embed, args); }
  void norm(Stream& stream, const NormArgs& args) const override { launch_with(stream, level_.norm, args); }
  void gate(Stream& stream, const GateArgs& args) const override { launch_with(stream, level_.gate, args); }
  void rope(Stream& stream, const RopeArgs& args) const override { launch_with(stream, level_.rope, args); }
  void pool(Stream& stream, const PoolArgs& args) const override { launch_with(stream, level_.pool, args); }
  void finish(Stream& stream, const FinishArgs& args) const override { launch_with(stream, level_.finish, args); }

 private:
  // `work` runs later, on every thread of the stream's team at once (Team::run_share): they share it out by claiming.
  static void launch(Stream& stream, Work work) { static_cast<CpuStream&>(stream).launch(std::move(work)); }

  // Over the panels of args.weight.
  template <class Args>
  static void launch_over(Stream& stream, void (*kernel)(const Args&, const PanelMatrix&, Worker&), const Args& args) {
    const PackedMatrix& w = *args.weight;
    const PanelMatrix panels{w.data->data(), w.dtype, w.n, w.k};
    launch(stream, [kernel, args, panels](Worker& worker) { kernel(args, panels, worker); });
  }

  template <class Args>
  static void launch_with(Stream& stream, void (*kernel)(const Args&, Worker&), const Args& args) {
    launch(stream, [kernel, args](Worker& worker) { kernel(args, worker); });
  }

  const Isa isa_;
  const Level& level_;
};

}  // namespace

std::unique_ptr<Kernels> make_kernels(Isa isa) { return std::make_unique<CpuKernels>(isa); }

}  // namespace bouquet::rose::cpu
