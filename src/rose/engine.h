// ROSE's front door: a loaded model on a device that runs batches asynchronously.
//
// step() copies the batch, enqueues the whole forward pass on a stream and returns a LazyTensor at once; two batches
// may be in flight (one running, one queued behind it). One caller at a time for step() and capture(); LazyTensors may
// be waited for and dropped on any thread. Without a captured graph a step is eager: the model enqueues its kernels
// anew. With EngineOptions::cache_tokens it is a language model: keys and values stay from step to step, a batch brings
// new tokens only, and a row of the result is the logits of the next word.
//
//   ASSIGN_OR_RETURN(auto engine, Engine::load("model", {}));
//   LazyTensor result = engine->step({ids, cu_seqlens, {}, specs});
//   RETURN_IF_ERROR(result.wait());
//   use(result.values(0));
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "rose/device/device.h"
#include "rose/models/model.h"
#include "rose/weights/weight_store.h"

namespace bouquet::rose {

struct EngineOptions {
  std::string dtype = "auto";             // auto, f32, bf16
  std::string isa = "auto";               // auto, portable, avx2, avx512
  std::string kernels = "fast";           // fast, reference, null
  std::string adapter = "";               // the task whose low-rank adapter is merged (jina-embeddings-v3); "": none
  std::vector<std::string> ignored_keys;  // of config.json, that change nothing in the model
  double null_batch_us = 0;               // what a batch takes with null kernels
  double null_token_us = 0;               // ... and more for each token
  int threads = 0;                        // compute threads; 0: as many as the process may use
  std::string pin_threads = "auto";  // each to a processor of its own: on, off, or auto: on where none is left over
  int32_t max_length = 0;            // 0: as the model's files say
  int32_t max_batch_tokens = 16384;  // raised to the model's longest sequence
  int32_t max_batch_sequences = 1024;
  int32_t cache_tokens = 0;              // of keys and values that a language model keeps between steps; 0: see Engine
  std::vector<int> processors;           // that the compute threads may run on; empty: all the process may use
  std::shared_ptr<WeightStore> weights;  // shared by the engines that are loaded with it; null: nobody shares
  std::shared_ptr<const Kernels> own_kernels;  // instead of `isa` and `kernels`: for tests
};

// What is wanted of one sequence: one row of `output`, or one for each token where that is per token, or one for each
// span.
struct RowSpec {
  int32_t dimensions = 0;  // leading dimensions; 0: all
  bool normalize = false;
  Output output = Output::kDefault;
  int32_t keys = 0;                // leading tokens that the sequence's tokens see; 0: all
  std::span<const int32_t> spans;  // [rows][2] begin and end within the sequence, none empty; none: the whole sequence
};

struct Batch {
  std::span<const int32_t> ids;          // [tokens], below vocab_size
  std::span<const int32_t> cu_seqlens;   // [sequences + 1], from 0 to tokens, each sequence at least 1 token
  std::span<const uint8_t> token_types;  // [tokens] below type_vocab_size, or empty: all 0
  std::span<const RowSpec> specs;        // [sequences]; rows that are not per token: at most max_batch_sequences
  // With a cache only. The batch's tokens go on from `past` of their sequence, up to ModelInfo::max_tokens together;
  // blocks (of kBlockTokens, below EngineInfo::cache_blocks) for both are the sequence's alone.
  std::span<const int32_t> past;    // [sequences]; none: all 0
  std::span<const int32_t> tables;  // [sequences][table_width] blocks; those not needed may be anything
};

struct OutputInfo {
  Output output;
  int32_t width;  // values a row
};

struct EngineInfo {
  ModelInfo model;
  std::string device;
  std::string dtype;  // of the stored weight matrices
  std::string isa;    // of the kernels
  int threads = 0;
  std::vector<OutputInfo> outputs;  // the first is what the model is for
  int32_t max_batch_tokens = 0;
  int32_t max_batch_sequences = 0;
  int32_t cache_blocks = 0;  // 0: no cache
  int32_t table_width = 0;   // blocks of the longest sequence

  int32_t width(Output output) const;  // values a row; 0: the model does not give it
};

class StepSlot;

// The result of a step: a host buffer, and the event after its copy. Dropping the last copy gives the buffer back (and
// waits for the step, if nobody has).
class LazyTensor {
 public:
  explicit LazyTensor(std::shared_ptr<StepSlot> slot);
  bool ready() const;
  absl::Status wait() const;
  std::span<const float> values(int32_t sequence) const;  // [rows of the sequence][width], after wait()
  int32_t sequences() const;

 private:
  std::shared_ptr<StepSlot> slot_;
};

class Engine {
 public:
  virtual ~Engine() = default;
  static absl::StatusOr<std::unique_ptr<Engine>> load(const std::filesystem::path& directory,
                                                      const EngineOptions& options);

  virtual const EngineInfo& info() const = 0;
  // Calls the model's forward: each kernel is launched on its own.
  virtual LazyTensor step(const Batch& batch) = 0;
  // Replays a captured forward: one launch, and the model's code is not called.
  virtual LazyTensor step(const Batch& batch, std::shared_ptr<const Graph> graph) = 0;
  // Records the forward for batches of up to `bound` (sequences, tokens, longest). Runs nothing.
  virtual std::shared_ptr<const Graph> capture(const Live& bound) = 0;
};

}  // namespace bouquet::rose
