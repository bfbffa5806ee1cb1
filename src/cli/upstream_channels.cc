// Few models have files of their own, so a list is searched.
#include "cli/upstream_channels.h"

#include <algorithm>

#include "base/status.h"

namespace bouquet::cli {
namespace {

tulip::TlsFiles files_of(const ivy::UpstreamSecurity& security) {
  return {security.certificate, security.key, security.authority};
}

}  // namespace

UpstreamChannels::Security UpstreamChannels::find(const Known& among, const ivy::UpstreamSecurity& security) const {
  const auto found = std::find_if(among.begin(), among.end(), [&](const auto& one) { return one.first == security; });
  return found == among.end() ? nullptr : found->second;
}

absl::StatusOr<Change> UpstreamChannels::read(const std::vector<ivy::ModelSpec>& specs) {
  std::vector<Change> changes;
  Known next;
  for (const ivy::ModelSpec& spec : specs) {
    if (find(next, spec.security)) continue;
    Security security = find(known_, spec.security);
    if (security) {
      absl::StatusOr<Change> change = security->read_again();
      if (!change.ok()) return about(spec.name, change.status());
      changes.push_back(*std::move(change));
    } else {
      absl::StatusOr<Security> created = tulip::ChannelSecurity::create(files_of(spec.security));
      if (!created.ok()) return about(spec.name, created.status());
      security = *std::move(created);
    }
    next.emplace_back(spec.security, std::move(security));
  }
  return [this, changes = std::move(changes), next = std::move(next)] {
    for (const Change& change : changes) change();
    std::lock_guard lock(mutex_);
    known_ = next;
  };
}

// Of a model that is about to go nothing may be known any more.
absl::StatusOr<std::shared_ptr<tulip::Client>> UpstreamChannels::connect(const ivy::UpstreamSecurity& security,
                                                                         const std::string& address) const {
  tulip::RpcClientOptions options;
  options.tls = files_of(security);
  options.server_name = security.name;
  Security known;
  {
    std::lock_guard lock(mutex_);
    known = find(known_, security);
  }
  if (!known) return tulip::make_rpc_client(address, options);
  return tulip::make_rpc_client(address, std::move(known), options);
}

}  // namespace bouquet::cli
