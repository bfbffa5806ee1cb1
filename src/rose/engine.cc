// The engine: device inputs at fixed addresses, a ring of host slots copied in and out around each forward.
#include "rose/engine.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <mutex>
#include <numeric>

#include "base/status.h"
#include "fmt/format.h"
#include "rose/device/cpu/cpu_device.h"
#include "rose/device/cpu/topology.h"
#include "rose/kernels/cpu/cpu_kernels.h"
#include "rose/kernels/null/null_kernels.h"
#include "rose/kernels/reference/reference_kernels.h"
#include "rose/models/load_model.h"

namespace bouquet::rose {

namespace {

// Where each input lies in a slot and, at the same offsets, in device memory.
struct InputLayout {
  static size_t bytes(const EngineInfo& info) {
    const size_t tokens = info.max_batch_tokens, sequences = info.max_batch_sequences;
    return sizeof(Live) + (3 * tokens + 3 * sequences + 1) * sizeof(int32_t);
  }
  explicit InputLayout(void* base, int32_t max_sequences, int32_t max_tokens)
      : live(static_cast<Live*>(base)),
        cu_seqlens(reinterpret_cast<int32_t*>(live + 1)),
        dimensions(cu_seqlens + max_sequences + 1),
        normalize(dimensions + max_sequences),
        ids(normalize + max_sequences),
        token_types(ids + max_tokens),
        positions(token_types + max_tokens) {}
  Live* live;
  int32_t* cu_seqlens;
  int32_t* dimensions;
  int32_t* normalize;
  int32_t* ids;
  int32_t* token_types;
  int32_t* positions;
};

}  // namespace

// One step's host memory: what is copied in, what is copied out, and the event after that.
class StepSlot {
 public:
  static absl::StatusOr<std::unique_ptr<StepSlot>> create(Device& device, const EngineInfo& info) {
    auto slot = std::make_unique<StepSlot>();
    const size_t row_bytes = info.row_size * sizeof(float);
    ASSIGN_OR_RETURN(slot->input, device.allocate_host(InputLayout::bytes(info)));
    ASSIGN_OR_RETURN(slot->output, device.allocate_host(info.max_batch_sequences * row_bytes));
    slot->event = device.create_event();
    return slot;
  }
  std::unique_ptr<Buffer> input;   // see InputLayout
  std::unique_ptr<Buffer> output;  // [sequences][row_size]
  std::unique_ptr<Event> event;
};

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
    std::shared_ptr<StepSlot> slot = fill(batch);
    forward();
    return enqueue_result(std::move(slot), batch);
  }

  LazyTensor step(const Batch& batch, std::shared_ptr<const Graph> graph) override {
    std::shared_ptr<StepSlot> slot = fill(batch);
    stream_->replay(std::move(graph));
    return enqueue_result(std::move(slot), batch);
  }

  // A CPU graph reads its counts when it runs, so whatever the bound, the recording is the same.
  std::shared_ptr<const Graph> capture(const Live&) override {
    stream_->begin_capture();
    forward();
    return stream_->end_capture();
  }

 private:
  std::shared_ptr<StepSlot> take_slot();
  std::shared_ptr<StepSlot> fill(const Batch& batch);
  void forward();
  LazyTensor enqueue_result(std::shared_ptr<StepSlot> slot, const Batch& batch);
  InputLayout layout(void* base) const { return InputLayout(base, info_.max_batch_sequences, info_.max_batch_tokens); }

  EngineInfo info_;
  std::unique_ptr<Device> device_;
  std::shared_ptr<const Kernels> kernels_;
  Model model_;
  std::unique_ptr<Buffer> inputs_;   // in device memory
  std::unique_ptr<Buffer> results_;  // [max sequences][row_size] in device memory
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
  const LoadOptions load{options.dtype, options.max_length, options.max_batch_tokens, info_.max_batch_sequences};
  ASSIGN_OR_RETURN(model_, load_model(directory, {*device_, *kernels_, *weights}, load));
  info_.model = model_.info;
  info_.dtype = std::string(rose::name_of(model_.dtype));
  info_.max_batch_tokens = static_cast<int32_t>(model_.max_batch_tokens);
  info_.row_size = model_.head->width();
  ASSIGN_OR_RETURN(inputs_, device_->allocate(InputLayout::bytes(info_)));
  ASSIGN_OR_RETURN(results_, device_->allocate(size_t(info_.max_batch_sequences) * info_.row_size * sizeof(float)));
  ASSIGN_OR_RETURN(auto first, StepSlot::create(*device_, info_));  // fails here rather than in a step
  slots_->free.push_back(std::move(first));
  stream_ = device_->create_stream();
  return absl::OkStatus();
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
  if (!slot) slot = *StepSlot::create(*device_, info_);
  return std::shared_ptr<StepSlot>(slot.release(), [pool = slots_](StepSlot* used) {
    (void)used->event->wait();  // the stream must not write into a slot that is free
    std::lock_guard lock(pool->mutex);
    pool->free.emplace_back(used);
  });
}

std::shared_ptr<StepSlot> EngineImpl::fill(const Batch& batch) {
  const auto tokens = static_cast<int32_t>(batch.ids.size()), sequences = static_cast<int32_t>(batch.specs.size());
  assert(tokens <= info_.max_batch_tokens && sequences <= info_.max_batch_sequences && sequences > 0);
  assert(batch.cu_seqlens.size() == batch.specs.size() + 1);
  std::shared_ptr<StepSlot> slot = take_slot();
  const InputLayout host = layout(slot->input->data()), device = layout(inputs_->data());
  *host.live = {tokens, sequences, 0};
  for (int32_t s = 0; s < sequences; ++s) {
    host.live->longest = std::max(host.live->longest, batch.cu_seqlens[s + 1] - batch.cu_seqlens[s]);
    host.dimensions[s] = batch.specs[s].dimensions > 0 ? batch.specs[s].dimensions : info_.row_size;
    host.normalize[s] = batch.specs[s].normalize;
    std::iota(host.positions + batch.cu_seqlens[s], host.positions + batch.cu_seqlens[s + 1], 0);
  }
  std::copy(batch.cu_seqlens.begin(), batch.cu_seqlens.end(), host.cu_seqlens);
  std::copy(batch.ids.begin(), batch.ids.end(), host.ids);
  if (batch.token_types.empty()) {
    std::fill_n(host.token_types, tokens, 0);
  } else {
    std::copy(batch.token_types.begin(), batch.token_types.end(), host.token_types);
  }
  const auto* start = static_cast<const std::byte*>(slot->input->data());
  const auto header = static_cast<size_t>(reinterpret_cast<std::byte*>(host.ids) - start);
  stream_->copy(inputs_->data(), start, header);
  stream_->copy(device.ids, host.ids, tokens * sizeof(int32_t));
  stream_->copy(device.token_types, host.token_types, tokens * sizeof(int32_t));
  stream_->copy(device.positions, host.positions, tokens * sizeof(int32_t));
  return slot;
}

void EngineImpl::forward() {
  const InputLayout in = layout(inputs_->data());
  const ops::Context context{*stream_,      *kernels_,     in.ids,       in.token_types, in.positions,
                             in.cu_seqlens, in.dimensions, in.normalize, in.live};
  const Tensor hidden = model_.encoder->forward(context);
  const Tensor rows = model_.head->forward(context, hidden);
  ops::finish(context, rows, Tensor{results_->data(), DType::kF32, info_.row_size, info_.row_size});
}

LazyTensor EngineImpl::enqueue_result(std::shared_ptr<StepSlot> slot, const Batch& batch) {
  const auto rows = static_cast<int32_t>(batch.specs.size());
  stream_->copy(slot->output->data(), results_->data(), size_t(rows) * info_.row_size * sizeof(float));
  stream_->record(*slot->event);
  return LazyTensor(std::move(slot), rows, info_.row_size);
}

}  // namespace

LazyTensor::LazyTensor(std::shared_ptr<StepSlot> slot, int32_t rows, int32_t row_size)
    : slot_(std::move(slot)), rows_(rows), row_size_(row_size) {}

bool LazyTensor::ready() const { return slot_->event->ready(); }
absl::Status LazyTensor::wait() const { return slot_->event->wait(); }

std::span<const float> LazyTensor::row(int32_t sequence) const {
  return {static_cast<const float*>(slot_->output->data()) + int64_t{sequence} * row_size_,
          static_cast<size_t>(row_size_)};
}

absl::StatusOr<std::unique_ptr<Engine>> Engine::load(const std::filesystem::path& directory,
                                                     const EngineOptions& options) {
  auto engine = std::make_unique<EngineImpl>();
  RETURN_IF_ERROR(engine->init(directory, options));
  return engine;
}

}  // namespace bouquet::rose
