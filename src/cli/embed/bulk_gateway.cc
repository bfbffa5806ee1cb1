// Large fixed batches, and a queue that refuses nothing.
#include "cli/embed/bulk_gateway.h"

#include "base/status.h"
#include "ivy/fleet/fleet.h"
#include "tulip/local_client.h"

namespace bouquet::cli {

absl::StatusOr<std::unique_ptr<ivy::Gateway>> make_bulk_gateway(const std::string& name, bool truncate,
                                                                LoadedModel& loaded,
                                                                std::shared_ptr<tulip::Service>* service) {
  tulip::ServiceOptions options;
  options.model_name = name;
  options.tune = false;  // pure bulk: a large fixed batch is right from the first
  options.runner.scheduler.mixed_budget = options.runner.scheduler.bulk_budget = 1024;
  options.runner.admission.max_queued_tokens = int64_t{1} << 30;
  ivy::GatewayOptions gateway;
  gateway.model_name = name;
  ASSIGN_OR_RETURN(gateway.recipe, ivy::read_model_recipe(loaded.directory));
  gateway.recipe.truncate = truncate;
  ASSIGN_OR_RETURN(std::unique_ptr<tulip::Service> created, tulip::Service::create(std::move(loaded.engine), options));
  *service = std::move(created);
  auto fleet = std::make_shared<ivy::Fleet>(ivy::FleetOptions{});
  RETURN_IF_ERROR(fleet->join(tulip::make_local_client(*service)).status());
  return ivy::Gateway::create(std::move(gateway), loaded.tokenizer, std::move(fleet));
}

}  // namespace bouquet::cli
