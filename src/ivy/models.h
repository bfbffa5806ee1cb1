// The models that Ivy serves, each with its replicas, kept as their specs say while requests are served.
//
//   Models models(load, connect);
//   ASSIGN_OR_RETURN(const Change begin, models.prepare(specs));
//   begin();
//   ... several times a second: models.look();
//   ... when a spec or a file that it names is another: ASSIGN_OR_RETURN(const Change change, models.prepare(specs));
//
// All functions are for one thread; what catalog() holds is for all.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/current.h"
#include "ivy/catalog.h"
#include "ivy/model_spec.h"

namespace bouquet::ivy {

// The gateway's part of what is said of a model.
GatewayOptions gateway_options(const ModelSpec& spec, Recipe recipe);

class Models {
 public:
  // What a model's directory holds.
  struct Loaded {
    std::shared_ptr<const tokenizer::Tokenizer> tokenizer;
    Recipe recipe;
  };
  // Finds and reads it; may take long.
  using Load = std::function<absl::StatusOr<Loaded>(const ModelSpec& spec)>;
  // Gives a client for an address, without waiting for a connection.
  using Connect = std::function<absl::StatusOr<std::shared_ptr<tulip::Client>>(const UpstreamSecurity& security,
                                                                               const std::string& address)>;

  Models(Load load, Connect connect);
  ~Models();

  // Reads all that the specs name, and loads the models that are new. The change then makes the served models these,
  // the first of them the default: upstreams, aliases and recipes are replaced in place; new models are served as soon
  // as a replica is there; those that are gone finish what they are at. Anything wrong, in any of them, is an error,
  // and so is what can't be changed while serving. The change must be made before anything else is called here.
  absl::StatusOr<Change> prepare(std::vector<ModelSpec> specs);

  // Takes up the models whose first replica has come by now, and lets go of what is no longer used. The error of one
  // that its replicas don't fit; it is told once, and what is wrong is tried again with the next change.
  absl::Status look();

  // Of all models. Empty before the first change.
  const Current<Catalog>& catalog() const { return catalog_; }

  // Every model has been taken up.
  bool complete() const;

 private:
  struct Model;
  struct Next;
  absl::StatusOr<Next> next_of(ModelSpec spec) const;
  void become(std::vector<Next> all);
  absl::Status take_up(Model* model);
  void publish();

  const Load load_;
  const Connect connect_;
  std::vector<std::shared_ptr<Model>> models_;
  std::vector<std::shared_ptr<Model>> retired_;  // gone, but perhaps still at work
  Current<Catalog> catalog_{nullptr};
};

}  // namespace bouquet::ivy
