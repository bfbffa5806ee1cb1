// gRPC nests its causes; a few words in them tell which it is.
#include "tulip/rpc/reasons.h"

#include <utility>

namespace bouquet::tulip {
namespace {

constexpr std::pair<std::string_view, std::string_view> kReasons[] = {
    {"Connection refused", "nobody listens there"},
    {"No such file or directory", "there is no such socket"},
    {"Permission denied", "the socket is not for us"},
    {"DNS resolution failed", "its name can't be resolved"},
    {"wrong version number", "it speaks no TLS, or is no Tulip"},
    {"certificate verify failed", "its certificate is not signed by whom it should be (upstream-ca)"},
    {"is not in peer certificate", "its certificate is for another name (upstream-name)"},
    {"http1.x server", "it speaks HTTP/1, so it is no Tulip"},
    {"keepalive watchdog timeout", "it no longer answers"},
    {"Socket closed", "it hung up; at the start of a connection: it wants TLS or another certificate, or is no Tulip"},
    {"Connection reset",
     "it hung up; at the start of a connection: it wants TLS or another certificate, or is no Tulip"},
    {"Cancelling all calls", "it is ending"},
    {"Deadline Exceeded", "it does not answer in time"},
    {"Timeout occurred", "it does not answer in time"},
};

}  // namespace

std::string plain_reason(std::string_view message) {
  for (const auto& [theirs, ours] : kReasons) {
    if (message.find(theirs) != std::string_view::npos) return std::string(ours);
  }
  return std::string(message);
}

}  // namespace bouquet::tulip
