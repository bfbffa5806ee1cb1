// Keeps a fleet's members what the list of upstreams says: connects, asks who is there, lets it join, and lets it leave
// when it is gone from the list or no longer ready. Names are resolved again and again.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "base/repeats.h"
#include "ivy/fleet/fleet.h"

namespace bouquet::ivy {

struct UpstreamsOptions {
  std::chrono::milliseconds look{50};         // between two looks at who is ready
  std::chrono::milliseconds resolve{2000};    // ... at what names stand for
  std::chrono::milliseconds ask_again{2000};  // after one was refused or could not be asked
};

class Upstreams {
 public:
  // Gives a client for an address, without waiting for a connection.
  using Connect = std::function<absl::StatusOr<std::shared_ptr<tulip::Client>>(const std::string& address)>;

  Upstreams(std::shared_ptr<Fleet> fleet, Connect connect, UpstreamsOptions options = {});
  ~Upstreams();  // the fleet keeps its members

  // The upstreams from now on: "host:port", "unix:/path", or "dns:name:port", which stands for every address of the
  // name.
  void set(std::vector<std::string> upstreams);

 private:
  struct Link {
    std::shared_ptr<tulip::Client> client;
    std::optional<Fleet::Place> place;  // where it has joined
    bool has_joined = false;            // now or before
    Clock::time_point not_before;       // when it may be asked again
    Repeats repeats;                    // of why it is refused
  };
  void loop();
  std::vector<std::string> addresses_of(const std::vector<std::string>& upstreams);
  void connect_and_drop(const std::vector<std::string>& addresses);
  void look_at(const std::string& address, Link* link);

  const std::shared_ptr<Fleet> fleet_;
  const Connect connect_;
  const UpstreamsOptions options_;
  std::map<std::string, Link> links_;                           // by address; the thread's alone, like the next
  std::map<std::string, std::vector<std::string>> last_known_;  // what names stood for
  Repeats unresolved_;                                          // names, and why
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> wanted_;  // under mutex_, like what follows
  bool renewed_ = false;             // since the thread last looked
  bool stopping_ = false;
  std::thread thread_;  // last: starts when the rest is there
};

// INVALID_ARGUMENT, saying why, for what set() does not take.
absl::Status check_upstream(const std::string& upstream);

// The "name:port" of an upstream that is a name; nothing of one that is an address.
std::optional<std::string> dns_name(const std::string& upstream);

// Every address of "name:port", as "1.2.3.4:port" or "[::1]:port", sorted.
absl::StatusOr<std::vector<std::string>> resolve(const std::string& name_and_port);

}  // namespace bouquet::ivy
