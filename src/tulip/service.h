// Tulip as its clients see it: checks a chunk, admits it or refuses it, and answers when its sequences have run.
#pragma once

#include <filesystem>
#include <memory>

#include "rose/engine.h"
#include "tulip/client.h"
#include "tulip/runner.h"

namespace bouquet::tulip {

struct ServiceOptions {
  std::string model_name;
  uint64_t tokenizer_fingerprint = 0;  // of the text-to-id mapping that the model was made for; 0: not known
  RunnerOptions runner;
  bool tune = true;                      // measure budgets while idle; false: the runner's options stand
  std::filesystem::path cache;           // where measurements are kept; empty: nowhere
  std::chrono::seconds stuck_after{60};  // a step in flight for longer makes the service not ready
};

class Service {
 public:
  // Runs a self-test forward: INTERNAL when its result is not finite.
  static absl::StatusOr<std::unique_ptr<Service>> create(std::unique_ptr<rose::Engine> engine, ServiceOptions options);
  ~Service();

  ModelCard card() const;
  void run(Chunk chunk, CallOptions options, Done done);
  bool ready() const;
  Load load() const { return runner_->load(); }
  // Refuses new chunks; returns when all accepted ones are answered.
  void drain();
  const rose::EngineInfo& info() const { return engine_->info(); }

 private:
  Service(std::unique_ptr<rose::Engine> engine, ServiceOptions options);
  std::unique_ptr<rose::Engine> engine_;
  ServiceOptions options_;
  Stats stats_;
  std::atomic<bool> draining_{false};
  mutable std::atomic<bool> stuck_{false};  // when ready() was last asked; told once
  std::unique_ptr<Runner> runner_;
};

// INVALID_ARGUMENT naming the sequence, for a chunk that the model can't run; FAILED_PRECONDITION for other weights.
absl::Status check_chunk(const Chunk& chunk, const rose::EngineInfo& info);

}  // namespace bouquet::tulip
