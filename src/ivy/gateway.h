// From a Job to its JobResult: applies the recipe, tokenizes, splits into chunks, hands them to the fleet, joins the
// replies by index.
//
//   ASSIGN_OR_RETURN(auto gateway, Gateway::create(options, tokenizer, fleet));
//   gateway->run(std::move(job), [](absl::StatusOr<JobResult> result) { ... });
//
// run() may be called from any thread and returns soon: what needs much tokenizing goes to the gateway's own workers.
// Destroying the gateway waits for the jobs in flight.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/current.h"
#include "ivy/cache/result_cache.h"
#include "ivy/fleet/fleet.h"
#include "ivy/job.h"
#include "ivy/prepare.h"
#include "ivy/recipe.h"
#include "ivy/workers.h"
#include "tokenizer/tokenizer.h"

namespace bouquet::ivy {

struct GatewayOptions {
  std::string model_name;           // as clients call it
  std::vector<std::string> labels;  // of the classification head, in order; empty: the replicas' own, or LABEL_0 ...
  Recipe recipe;                    // to begin with
  bool raw_token_ids = false;       // accept token ids that lack the template's own special tokens
  int worker_threads = 1;           // for the tokenizing and encoding of large requests
  size_t result_cache_bytes = 0;    // for rows that may be asked for again; 0: none are kept
};

// What the model is and can do, as /v1/models and /info tell it.
struct ModelInfo {
  std::string name;
  std::vector<std::string> labels;
  tulip::ModelCard card;
  bool embeds = false;
  bool classifies = false;
  bool reranks = false;       // a head of exactly one label
  bool sparse = false;        // gives weights of vocabulary entries
  bool multi_vector = false;  // gives vectors for late interaction
  bool tokens = false;        // gives the vectors of tokens
};

class Gateway {
 public:
  // Some replica must have joined the fleet, to tell what the model is.
  static absl::StatusOr<std::unique_ptr<Gateway>> create(GatewayOptions options,
                                                         std::shared_ptr<const tokenizer::Tokenizer> tokenizer,
                                                         std::shared_ptr<Fleet> fleet);
  ~Gateway();

  void run(Job job, JobDone done);

  // From now on; jobs in flight keep the recipe they began with. It must be one that accepts() takes.
  void use(Recipe recipe) { recipe_.set(std::make_shared<const Recipe>(std::move(recipe))); }
  // Whether the model can do what the recipe asks for.
  absl::Status accepts(const Recipe& recipe) const;

  bool ready() const { return fleet_->ready(); }  // a replica would serve a request sent now
  size_t replicas() const { return fleet_->size(); }
  const ModelInfo& model() const { return model_; }
  std::shared_ptr<const Recipe> recipe() const { return recipe_.get(); }
  int32_t max_length() const;  // tokens an input may have
  const tokenizer::Tokenizer& tokenizer() const { return *tokenizer_; }

 private:
  struct Running;
  Gateway(GatewayOptions options, ModelInfo model, std::shared_ptr<const tokenizer::Tokenizer> tokenizer,
          std::shared_ptr<Fleet> fleet);

  void begin(std::shared_ptr<Running> running);
  void send(const std::shared_ptr<Running>& running);
  void send_next(const std::shared_ptr<Running>& running);
  void send_one(const std::shared_ptr<Running>& running);
  void arrived(const std::shared_ptr<Running>& running, size_t chunk, absl::StatusOr<tulip::Reply> reply);
  void finish(const std::shared_ptr<Running>& running, absl::StatusOr<JobResult> result);
  absl::Status check(const Job& job) const;

  const GatewayOptions options_;
  const ModelInfo model_;
  const std::shared_ptr<const tokenizer::Tokenizer> tokenizer_;
  const std::shared_ptr<Fleet> fleet_;
  Current<Recipe> recipe_;
  std::optional<ResultCache> cache_;  // in front of the fleet
  std::mutex running_mutex_;
  std::condition_variable none_running_;
  int64_t running_ = 0;  // under running_mutex_
  Workers workers_;
};

}  // namespace bouquet::ivy
