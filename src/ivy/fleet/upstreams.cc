// One thread that looks again and again.
#include "ivy/fleet/upstreams.h"

#include <netdb.h>
#include <pthread.h>

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/status.h"

namespace bouquet::ivy {

Upstreams::Upstreams(std::shared_ptr<Fleet> fleet, Connect connect, UpstreamsOptions options)
    : fleet_(std::move(fleet)), connect_(std::move(connect)), options_(options), thread_([this] { loop(); }) {}

Upstreams::~Upstreams() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Upstreams::set(std::vector<std::string> upstreams) {
  {
    std::lock_guard lock(mutex_);
    wanted_ = std::move(upstreams);
    renewed_ = true;
  }
  changed_.notify_all();
}

void Upstreams::loop() {
  pthread_setname_np(pthread_self(), "ivy-upstreams");
  Clock::time_point resolved;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const bool renewed = std::exchange(renewed_, false);
    const std::vector<std::string> wanted = wanted_;
    lock.unlock();
    if (renewed || Clock::now() - resolved >= options_.resolve) {
      connect_and_drop(addresses_of(wanted));
      resolved = Clock::now();
    }
    for (auto& [address, link] : links_) look_at(address, &link);
    lock.lock();
    changed_.wait_for(lock, options_.look, [this] { return stopping_ || renewed_; });
  }
}

// A name that can't be resolved now stands for what it stood for before.
std::vector<std::string> Upstreams::addresses_of(const std::vector<std::string>& upstreams) {
  std::vector<std::string> addresses;
  for (const std::string& upstream : upstreams) {
    const std::optional<std::string> name = dns_name(upstream);
    if (!name) {
      addresses.push_back(upstream);
      continue;
    }
    auto found = resolve(*name);
    std::vector<std::string>& known = last_known_[upstream];
    if (found.ok()) {
      known = *std::move(found);
    } else if (known.empty() &&
               unresolved_.worth_saying(upstream + std::string(found.status().message()), Clock::now())) {
      log_warn("an upstream's name can't be resolved",
               {{"upstream", upstream}, {"reason", std::string(found.status().message())}});
    }
    addresses.insert(addresses.end(), known.begin(), known.end());
  }
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return addresses;
}

void Upstreams::connect_and_drop(const std::vector<std::string>& addresses) {
  for (const std::string& address : addresses) {
    if (links_.count(address) > 0) continue;
    auto client = connect_(address);
    if (client.ok()) {
      links_[address].client = *std::move(client);
    } else {
      log_error("an upstream can't be used",
                {{"upstream", address}, {"reason", std::string(client.status().message())}});
    }
  }
  for (auto at = links_.begin(); at != links_.end();) {
    if (std::binary_search(addresses.begin(), addresses.end(), at->first)) {
      ++at;
      continue;
    }
    if (at->second.place) fleet_->leave(*at->second.place);
    log_info(at->second.has_joined ? "a replica has left" : "an upstream is no longer looked for",
             {{"upstream", at->first}});
    at = links_.erase(at);
  }
}

// Whoever comes back is asked again who it is: it may have been started anew with another model.
void Upstreams::look_at(const std::string& address, Link* link) {
  const bool ready = link->client->ready();
  if (link->place && !ready) {
    fleet_->leave(*std::exchange(link->place, std::nullopt));
    log_warn("a replica is not ready", {{"upstream", address}});
  }
  if (link->place || !ready || Clock::now() < link->not_before) return;
  const auto place = fleet_->join(link->client);
  if (place.ok()) {
    link->place = *place;
    link->has_joined = true;
    link->repeats.forget();
    log_info("a replica has joined", {{"upstream", address}});
  } else {
    link->not_before = Clock::now() + options_.ask_again;
    const std::string reason(place.status().message());
    if (!link->repeats.worth_saying(reason, Clock::now())) return;
    log_error("a replica is refused", {{"upstream", address}, {"reason", reason}});
  }
}

namespace {

absl::Status no_upstream(const std::string& upstream, std::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("the upstream ", upstream, " ", std::string(why),
                                                 ": it should be host:port, dns:name:port or unix:/path"));
}

}  // namespace

absl::Status check_upstream(const std::string& upstream) {
  constexpr std::string_view kUnix = "unix:";
  if (upstream.starts_with(kUnix)) {
    return upstream.size() > kUnix.size() ? absl::OkStatus() : no_upstream(upstream, "has no path");
  }
  const std::string text = dns_name(upstream).value_or(upstream);
  const size_t colon = text.rfind(':');
  const bool is_bracketed = text.starts_with('[');
  if (colon == std::string::npos || (is_bracketed && text[colon - 1] != ']')) {
    return no_upstream(upstream, "has no port");
  }
  int port = 0;
  if (!absl::SimpleAtoi(text.substr(colon + 1), &port) || port < 1 || port > 65535) {
    return no_upstream(upstream, "has no port from 1 to 65535");
  }
  const std::string host = text.substr(0, colon);
  if (host.empty()) return no_upstream(upstream, "has no host");
  if (host.find_first_of("/ \t") != std::string::npos) return no_upstream(upstream, "has a host that can't be one");
  if (!is_bracketed && host.find(':') != std::string::npos) {
    return no_upstream(upstream, "has more colons than it should (IPv6 stands in brackets: [::1]:9090)");
  }
  return absl::OkStatus();
}

std::optional<std::string> dns_name(const std::string& upstream) {
  constexpr std::string_view kPrefix = "dns:";
  return upstream.starts_with(kPrefix) ? std::optional(upstream.substr(kPrefix.size())) : std::nullopt;
}

absl::StatusOr<std::vector<std::string>> resolve(const std::string& name_and_port) {
  const size_t colon = name_and_port.rfind(':');
  if (colon == std::string::npos) return absl::InvalidArgumentError(absl::StrCat(name_and_port, " has no port"));
  const std::string name = name_and_port.substr(0, colon), port = name_and_port.substr(colon + 1);
  const addrinfo hints{.ai_flags = AI_ADDRCONFIG, .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(name.c_str(), port.c_str(), &hints, &found); error != 0) {
    return absl::UnavailableError(absl::StrCat(name, ": ", gai_strerror(error)));
  }
  std::vector<std::string> addresses;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    char host[NI_MAXHOST];
    if (getnameinfo(at->ai_addr, at->ai_addrlen, host, sizeof(host), nullptr, 0, NI_NUMERICHOST) != 0) continue;
    addresses.push_back(at->ai_family == AF_INET6 ? absl::StrCat("[", host, "]:", port)
                                                  : absl::StrCat(host, ":", port));
  }
  freeaddrinfo(found);
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return addresses;
}

}  // namespace bouquet::ivy
