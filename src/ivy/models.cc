// A model is its fleet, the thread that keeps the fleet's members, and, once one of them has told what it is, its
// gateway.
#include "ivy/models.h"

#include <algorithm>
#include <random>
#include <utility>

#include "base/log.h"
#include "base/status.h"
#include "fmt/format.h"
#include "ivy/fleet/upstreams.h"
#include "ivy/meters.h"

namespace bouquet::ivy {
namespace {

FleetOptions fleet_options(const ModelSpec& spec, const tokenizer::Tokenizer& tokenizer) {
  FleetOptions options;
  options.tokenizer_fingerprint = tokenizer.fingerprint();
  options.balance.seed = std::random_device()();  // gateways beside each other must not draw alike
  options.retry_share = spec.retry_share;
  options.hedge_share = spec.hedge_share;
  return options;
}

// What a model is made with, and keeps.
absl::Status check_unchanged(const ModelSpec& is, const ModelSpec& wanted) {
  const std::pair<const char*, bool> keys[] = {
      {"model", is.model == wanted.model},
      {"revision", is.revision == wanted.revision},
      {"upstream_ca, upstream_cert, upstream_key or upstream_name", is.security == wanted.security},
      {"retry_share", is.retry_share == wanted.retry_share},
      {"hedge_share", is.hedge_share == wanted.hedge_share},
      {"raw_token_ids", is.raw_token_ids == wanted.raw_token_ids},
      {"result_cache_mb", is.result_cache_mb == wanted.result_cache_mb},
  };
  for (const auto& [key, same] : keys) {
    if (same) continue;
    return absl::FailedPreconditionError(
        fmt::format("{} can't be changed while the model is served: start anew, or give it another name", key));
  }
  return absl::OkStatus();
}

std::vector<Offer> offers_of(const auto& models) {
  std::vector<Offer> offers;
  for (const auto& model : models) offers.push_back({model->spec.name, model->spec.aliases, model->gateway});
  return offers;
}

}  // namespace

GatewayOptions gateway_options(const ModelSpec& spec, Recipe recipe) {
  GatewayOptions options;
  options.model_name = spec.name;
  options.recipe = std::move(recipe);
  options.raw_token_ids = spec.raw_token_ids;
  options.result_cache_bytes = spec.result_cache_mb << 20;
  return options;
}

struct Models::Model {
  Model(ModelSpec its_spec, Loaded its_files, const Connect& connect)
      : spec(std::move(its_spec)),
        files(std::move(its_files)),
        fleet(std::make_shared<Fleet>(fleet_options(spec, *files.tokenizer))),
        upstreams(fleet, [connect, security = spec.security](const std::string& address) {
          return connect(security, address);
        }) {}
  ~Model() { forget_replicas_of(spec.name); }  // nobody has it in a catalog any more

  ModelSpec spec;
  const Loaded files;
  Recipe recipe;  // in force
  const std::shared_ptr<Fleet> fleet;
  Upstreams upstreams;
  std::shared_ptr<Gateway> gateway;  // null until a replica has come
  bool misfit = false;               // its replicas and it don't fit together, as it is
};

// A model as it is to be.
struct Models::Next {
  std::shared_ptr<Model> model;
  ModelSpec spec;
  std::vector<std::string> upstreams;
  Recipe recipe;
};

Models::Models(Load load, Connect connect) : load_(std::move(load)), connect_(std::move(connect)) {}

Models::~Models() = default;

absl::StatusOr<Models::Next> Models::next_of(ModelSpec spec) const {
  Next next;
  ASSIGN_OR_RETURN(next.upstreams, read_upstreams(spec));
  const auto found =
      std::find_if(models_.begin(), models_.end(), [&](const auto& model) { return model->spec.name == spec.name; });
  if (found == models_.end()) {
    ASSIGN_OR_RETURN(Loaded files, load_(spec));
    next.model = std::make_shared<Model>(spec, std::move(files), connect_);
  } else {
    next.model = *found;
    RETURN_IF_ERROR(check_unchanged(next.model->spec, spec));
  }
  ASSIGN_OR_RETURN(next.recipe, read_recipe(spec, next.model->files.recipe));
  const absl::Status accepted = next.model->gateway ? next.model->gateway->accepts(next.recipe) : absl::OkStatus();
  if (!accepted.ok()) return about(spec.recipe.string(), accepted);
  next.spec = std::move(spec);
  return next;
}

absl::StatusOr<Change> Models::prepare(std::vector<ModelSpec> specs) {
  std::vector<Offer> offers;
  for (const ModelSpec& spec : specs) offers.push_back({spec.name, spec.aliases, nullptr});
  RETURN_IF_ERROR(Catalog::create(std::move(offers)).status());
  std::vector<Next> all;
  for (ModelSpec& spec : specs) {
    const std::string name = spec.name;
    absl::StatusOr<Next> next = next_of(std::move(spec));
    if (!next.ok()) return about(name, next.status());
    all.push_back(*std::move(next));
  }
  // Once made, the change keeps no model from ending.
  auto shared = std::make_shared<std::vector<Next>>(std::move(all));
  return [this, shared] { become(std::exchange(*shared, {})); };
}

void Models::become(std::vector<Next> all) {
  std::vector<std::shared_ptr<Model>> models;
  for (Next& next : all) {
    Model& model = *next.model;
    model.spec = std::move(next.spec);
    model.recipe = next.recipe;
    model.misfit = false;
    if (model.gateway) model.gateway->use(std::move(next.recipe));
    model.upstreams.set(std::move(next.upstreams));
    models.push_back(std::move(next.model));
  }
  for (const std::shared_ptr<Model>& model : models_) {
    if (std::find(models.begin(), models.end(), model) != models.end()) continue;
    retired_.push_back(model);
  }
  models_ = std::move(models);
  publish();
}

void Models::publish() {
  absl::StatusOr<std::shared_ptr<const Catalog>> catalog = Catalog::create(offers_of(models_));
  catalog_.set(*std::move(catalog));  // the names were looked at when the change was prepared
}

absl::Status Models::take_up(Model* model) {
  auto gateway = Gateway::create(gateway_options(model->spec, model->recipe), model->files.tokenizer, model->fleet);
  model->misfit = !gateway.ok();
  if (!gateway.ok()) return about(model->spec.name, gateway.status());
  model->gateway = *std::move(gateway);
  return absl::OkStatus();
}

absl::Status Models::look() {
  // A gateway must not end on a thread that works for it, so nobody but this one lets go of it last.
  std::erase_if(retired_, [](const auto& model) { return !model->gateway || model->gateway.use_count() == 1; });
  absl::Status status;
  bool came = false;
  for (const std::shared_ptr<Model>& model : models_) {
    if (model->gateway || model->misfit || !model->fleet->card()) continue;
    status.Update(take_up(model.get()));
    came |= model->gateway != nullptr;
  }
  if (came) publish();
  return status;
}

bool Models::complete() const {
  return std::all_of(models_.begin(), models_.end(), [](const auto& model) { return model->gateway != nullptr; });
}

}  // namespace bouquet::ivy
