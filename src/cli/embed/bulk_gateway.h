// A gateway over a model in this process, for files rather than for clients.
#pragma once

#include <memory>
#include <string>

#include "cli/model_flags.h"
#include "ivy/gateway.h"
#include "tulip/service.h"

namespace bouquet::cli {

// Takes the loaded model's engine. `service` must outlive the gateway. `truncate`: too long texts are cut, else
// refused.
absl::StatusOr<std::unique_ptr<ivy::Gateway>> make_bulk_gateway(const std::string& name, bool truncate,
                                                                LoadedModel& loaded,
                                                                std::shared_ptr<tulip::Service>* service);

}  // namespace bouquet::cli
