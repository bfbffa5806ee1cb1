// Finds the route of a request, reads its JSON, and hands it to the dialect; refuses in the dialect's own shape.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ivy/api/route.h"
#include "ivy/gateway.h"
#include "ivy/http/message.h"

namespace bouquet::ivy {

class Router {
 public:
  // With the routes of every dialect. The gateway must outlive the router.
  Router(Gateway& gateway, const ApiOptions& options);

  const std::vector<Route>& routes() const { return routes_; }

  // By path alone; null when there is none.
  const Route* find(std::string_view path) const;

  // 404, 405, and OPTIONS; nothing when the request may go on.
  std::optional<http::Response> admit(const http::RequestHead& head) const;

  // Large bodies are read on the gateway's workers, others at once. Call only with what admit() let pass.
  void handle(http::Request request, http::Respond respond) const;

  http::Response refuse(const http::RequestHead& head, const absl::Status& status) const;

 private:
  void read(ApiCall call) const;
  const Route* choose(const http::RequestHead& head, const Document* body) const;

  Gateway& gateway_;
  const ApiOptions options_;
  std::vector<Route> routes_;
  ApiContext context_;
};

}  // namespace bouquet::ivy
