// What gRPC calls an error is mostly a peer that hung up or failed a handshake: a warning to us.
#include "tulip/rpc/grpc_log.h"

#include <grpc/support/log.h>

#include "base/log.h"
#include "base/repeats.h"

namespace bouquet::tulip {

void take_over_grpc_log() {
  gpr_set_log_function([](gpr_log_func_args* args) {
    static auto& repeats = *new Repeats;  // gRPC's threads may outlive whatever ends with the process
    if (args->severity != GPR_LOG_SEVERITY_ERROR) return;
    if (repeats.worth_saying(args->message, Repeats::Clock::now())) log_warn("gRPC says", {{"message", args->message}});
  });
}

}  // namespace bouquet::tulip
