// The engine: device inputs at fixed addresses, a ring of host slots copied in and out around each forward.
#include "rose/engine.h"

#include <algorithm>
#include <mutex>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/device/cpu/cpu_device.h"
#include "rose/device/cpu/topology.h"
#include "rose/kernels/cpu/cpu_kernels.h"
#include "rose/kernels/null/null_kernels.h"
#include "rose/kernels/reference/reference_kernels.h"
#include "rose/models/load_model.h"
#include "rose/step_slot.h"

namespace bouquet::rose {

namespace {

// Slots not in use. Shared with every LazyTensor, so that one may outlive the engine.
struct SlotPool {
  std::mutex mutex;
  std::vector<std::unique_ptr<StepSlot>> free;
};

class EngineImpl : public Engine {
 public:
  absl::Status init(const std::filesystem::path& directory, const EngineOptions& options);
  const EngineInfo& info() const override { return info_; }

  LazyTensor step(const Batch& batch) override {
    std::shared_ptr<StepSlot> slot = send(batch);
    forward();
    return enqueue_result(std::move(slot));
  }

  LazyTensor step(const Batch& batch, std::shared_ptr<const Graph> graph) override {
    std::shared_ptr<StepSlot> slot = send(batch);
    stream_->replay(std::move(graph));
    return enqueue_result(std::move(slot));
  }

  // A CPU graph reads its counts when it runs, so whatever the bound, the recording is the same.
  std::shared_ptr<const Graph> capture(const Live&) override {
    stream_->begin_capture();
    forward();
    return stream_->end_capture();
  }

 private:
  void lay_out_heads();
  std::shared_ptr<StepSlot> take_slot();
  std::shared_ptr<StepSlot> send(const Batch& batch);
  void forward();
  LazyTensor enqueue_result(std::shared_ptr<StepSlot> slot);

  EngineInfo info_;
  std::unique_ptr<Device> device_;
  std::shared_ptr<const Kernels> kernels_;
  Model model_;
  StepSizes sizes_;
  std::unique_ptr<Buffer> inputs_;   // in device memory
  std::unique_ptr<Buffer> results_;  // every head's rows, in device memory
  std::shared_ptr<SlotPool> slots_ = std::make_shared<SlotPool>();
  std::unique_ptr<Stream> stream_;  // last: its work uses all of the above
};

null::Cost null_cost(const EngineOptions& options) {
  using Microseconds = std::chrono::duration<double, std::micro>;
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(Microseconds(options.null_batch_us)),
          std::chrono::duration_cast<std::chrono::nanoseconds>(Microseconds(options.null_token_us))};
}

absl::StatusOr<std::shared_ptr<const Kernels>> choose_kernels(const EngineOptions& options) {
  if (options.own_kernels) return options.own_kernels;
  if (options.kernels == "reference") return std::shared_ptr<const Kernels>(reference::make_kernels());
  if (options.kernels == "null") {
    return std::shared_ptr<const Kernels>(null::make_kernels(null_cost(options), reference::make_kernels()));
  }
  if (options.kernels != "fast") {
    return absl::InvalidArgumentError(fmt::format("unknown kernels \"{}\" (fast, reference, null)", options.kernels));
  }
  ASSIGN_OR_RETURN(const cpu::Isa isa, cpu::choose_isa(options.isa));
  return std::shared_ptr<const Kernels>(cpu::make_kernels(isa));
}

// Who is given processors stays on them.
std::string pinning(const EngineOptions& options) {
  return options.pin_threads == "auto" && !options.processors.empty() ? "on" : options.pin_threads;
}

absl::Status EngineImpl::init(const std::filesystem::path& directory, const EngineOptions& options) {
  ASSIGN_OR_RETURN(kernels_, choose_kernels(options));
  ASSIGN_OR_RETURN(const cpu::Topology topology, cpu::narrow(cpu::read_topology(), options.processors));
  info_.threads = options.threads > 0 ? options.threads : topology.threads();
  ASSIGN_OR_RETURN(std::vector<int> processors, choose_processors(pinning(options), topology, info_.threads));
  device_ = std::make_unique<cpu::CpuDevice>(cpu::CpuOptions{info_.threads, std::move(processors)});
  info_.device = device_->name();
  info_.isa = kernels_->name();
  info_.max_batch_sequences = std::max(options.max_batch_sequences, 1);
  const auto weights = options.weights ? options.weights : std::make_shared<WeightStore>();
  const LoadOptions load{options.dtype,        options.max_length, options.max_batch_tokens, info_.max_batch_sequences,
                         options.ignored_keys, options.adapter,    options.cache_tokens};
  ASSIGN_OR_RETURN(model_, load_model(directory, {*device_, *kernels_, *weights}, load));
  info_.model = model_.info;
  info_.dtype = std::string(rose::name_of(model_.dtype));
  info_.max_batch_tokens = static_cast<int32_t>(model_.max_batch_tokens);
  if (options.cache_tokens > 0) {
    info_.cache_blocks = options.cache_tokens / kBlockTokens;
    info_.table_width = (info_.model.max_tokens + kBlockTokens - 1) / kBlockTokens;
  }
  lay_out_heads();
  ASSIGN_OR_RETURN(inputs_, device_->allocate(sizes_.input_bytes()));
  ASSIGN_OR_RETURN(results_, device_->allocate(sizes_.output_values() * sizeof(float)));
  ASSIGN_OR_RETURN(auto first, StepSlot::create(*device_, sizes_));  // fails here rather than in a step
  slots_->free.push_back(std::move(first));
  stream_ = device_->create_stream();
  return absl::OkStatus();
}

// Each head's rows one after the other.
void EngineImpl::lay_out_heads() {
  sizes_.max_tokens = info_.max_batch_tokens;
  sizes_.max_sequences = info_.max_batch_sequences;
  sizes_.table_width = info_.table_width;
  int64_t first = 0;
  for (const ModelHead& head : model_.heads) {
    const int64_t capacity = is_per_token(head.output) ? sizes_.max_tokens : sizes_.max_sequences;
    sizes_.heads.push_back({head.output, head.head->width(), capacity, first});
    info_.outputs.push_back({head.output, head.head->width()});
    first += capacity * head.head->width();
  }
}

// The ring grows to as many slots as there are results held: in flight, plus one being read.
std::shared_ptr<StepSlot> EngineImpl::take_slot() {
  std::unique_ptr<StepSlot> slot;
  {
    std::lock_guard lock(slots_->mutex);
    if (!slots_->free.empty()) {
      slot = std::move(slots_->free.back());
      slots_->free.pop_back();
    }
  }
  if (!slot) slot = *StepSlot::create(*device_, sizes_);
  return std::shared_ptr<StepSlot>(slot.release(), [pool = slots_](StepSlot* used) {
    (void)used->event->wait();  // the stream must not write into a slot that is free
    std::lock_guard lock(pool->mutex);
    pool->free.emplace_back(used);
  });
}

std::shared_ptr<StepSlot> EngineImpl::send(const Batch& batch) {
  std::shared_ptr<StepSlot> slot = take_slot();
  slot->fill(batch, sizes_);
  const StepInputs host(slot->input->data(), sizes_), device(inputs_->data(), sizes_);
  const auto copy = [&](auto* to, const auto* from, size_t count) { stream_->copy(to, from, count * sizeof(*from)); };
  const auto* header_end = reinterpret_cast<const std::byte*>(host.cu_seqlens + batch.cu_seqlens.size());
  const auto* header = reinterpret_cast<const std::byte*>(host.live);
  copy(reinterpret_cast<std::byte*>(device.live), header, static_cast<size_t>(header_end - header));
  for (size_t head = 0; head < sizes_.heads.size(); ++head) {
    if (host.counts[head] > 0) copy(device.plans[head], host.plans[head], static_cast<size_t>(host.counts[head]));
  }
  copy(device.key_counts, host.key_counts, batch.specs.size());
  if (sizes_.table_width > 0) {
    copy(device.past, host.past, batch.specs.size());
    copy(device.tables, host.tables, batch.tables.size());
  }
  copy(device.ids, host.ids, batch.ids.size());
  copy(device.token_types, host.token_types, batch.ids.size());
  copy(device.positions, host.positions, batch.ids.size());
  return slot;
}

void EngineImpl::forward() {
  const StepInputs in(inputs_->data(), sizes_);
  const ops::Context context{
      .stream = *stream_,
      .kernels = *kernels_,
      .ids = in.ids,
      .token_types = in.token_types,
      .positions = in.positions,
      .cu_seqlens = in.cu_seqlens,
      .key_counts = in.key_counts,
      .past = in.past,
      .tables = in.tables,
      .table_width = sizes_.table_width,
      .live = in.live,
  };
  const Tensor hidden = model_.encoder->forward(context);
  for (size_t i = 0; i < model_.heads.size(); ++i) {
    const HeadSpace& space = sizes_.heads[i];
    const ops::Rows rows{in.plans[i], in.counts + i};
    const Tensor values = model_.heads[i].head->forward(context, rows, hidden);
    float* results = static_cast<float*>(results_->data()) + space.first;
    ops::finish(context, rows, values, Tensor{results, DType::kF32, space.width, space.width});
  }
}

LazyTensor EngineImpl::enqueue_result(std::shared_ptr<StepSlot> slot) {
  const StepInputs host(slot->input->data(), sizes_);
  auto* to = static_cast<float*>(slot->output->data());
  const auto* from = static_cast<const float*>(results_->data());
  for (size_t i = 0; i < sizes_.heads.size(); ++i) {
    const HeadSpace& space = sizes_.heads[i];
    const size_t values = size_t(host.counts[i]) * size_t(space.width);
    if (values > 0) stream_->copy(to + space.first, from + space.first, values * sizeof(float));
  }
  stream_->record(*slot->event);
  return LazyTensor(std::move(slot));
}

}  // namespace

int32_t EngineInfo::width(Output output) const {
  if (output == Output::kDefault) return outputs.front().width;
  const auto found =
      std::find_if(outputs.begin(), outputs.end(), [&](const OutputInfo& o) { return o.output == output; });
  return found == outputs.end() ? 0 : found->width;
}

absl::StatusOr<std::unique_ptr<Engine>> Engine::load(const std::filesystem::path& directory,
                                                     const EngineOptions& options) {
  auto engine = std::make_unique<EngineImpl>();
  RETURN_IF_ERROR(engine->init(directory, options));
  return engine;
}

}  // namespace bouquet::rose
