// The client within one process: a direct call.
#pragma once

#include <memory>

#include "tulip/client.h"

namespace bouquet::tulip {

class Service;

std::shared_ptr<Client> make_local_client(std::shared_ptr<Service> service);

}  // namespace bouquet::tulip
