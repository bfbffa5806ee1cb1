// One client's connection: reads requests one after the other, hands each to the handler, writes the replies in order.
// While a reply is being computed it goes on reading, so that it sees at once when the client leaves.
#pragma once

#include <string>

#include "ivy/http/connection_set.h"
#include "ivy/http/message.h"
#include "ivy/http/options.h"

namespace boost::asio {
class io_context;
namespace ssl {
class context;
}
}  // namespace boost::asio

namespace bouquet::ivy::http {

// What all connections of a server share; outlives them.
struct ConnectionContext {
  Handler& handler;
  const ConnectionOptions& options;
  ConnectionSet& connections;
  boost::asio::io_context& io;
};

// Takes the connected stream socket `native`, a file descriptor. With `tls` it begins with a handshake.
void serve_connection(ConnectionContext& context, int native, std::string peer, boost::asio::ssl::context* tls);

}  // namespace bouquet::ivy::http
