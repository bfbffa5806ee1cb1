// What a workload is run against: makes requests of a given size, which any number of clients then send again and
// again.
#pragma once

#include <functional>
#include <memory>

#include "absl/status/status.h"

namespace bouquet::cli {

// The contents of a request.
struct Ask {
  enum class Kind { kEmbed, kEmbedIds, kScore };
  Kind kind = Kind::kEmbed;  // texts, token ids where the server takes them, or pairs
  int inputs = 1;
  int tokens = 0;  // of each, special ones included
};

// One client's connection; not for sharing between threads.
class Session {
 public:
  virtual ~Session() = default;
  // Sends the request the session was made for and waits for its reply.
  virtual absl::Status send() = 0;
};

using Connect = std::function<std::unique_ptr<Session>()>;

class Target {
 public:
  virtual ~Target() = default;
  // Makes the request now, so that no client's time goes into that.
  virtual Connect prepare(const Ask& ask) const = 0;
  virtual int max_tokens() const = 0;  // of an input; 0: not known
};

}  // namespace bouquet::cli
