// Errors, retry hints and deadlines between our types and gRPC's.
#pragma once

#include <chrono>

#include "absl/status/status.h"
#include "grpcpp/client_context.h"
#include "grpcpp/server_context.h"
#include "tulip/client.h"

namespace bouquet::tulip {

// The codes are the same. A retry hint travels in the trailing metadata, as milliseconds, beside a mark that the words
// are the server's.
grpc::Status to_grpc(const absl::Status& status, grpc::CallbackServerContext* context);
// Call it once the call is over. What gRPC itself, not the server, says of a connection or a deadline is put into words
// that callers may read.
absl::Status from_grpc(const grpc::Status& status, const grpc::ClientContext& context);

// gRPC counts deadlines on the system's clock. max() is no deadline, both ways.
std::chrono::system_clock::time_point to_system(Clock::time_point deadline);
Clock::time_point to_steady(std::chrono::system_clock::time_point deadline);

}  // namespace bouquet::tulip
