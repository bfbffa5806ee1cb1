// gRPC's own messages in our log.
#pragma once

namespace bouquet::tulip {

// From then on, for the whole process. May be called again.
void take_over_grpc_log();

}  // namespace bouquet::tulip
