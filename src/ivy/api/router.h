// Finds the route of a request, reads its JSON, chooses the model, and hands it to the dialect; refuses in the
// dialect's own shape.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ivy/api/route.h"
#include "ivy/catalog.h"
#include "ivy/http/message.h"
#include "ivy/workers.h"

namespace bouquet::ivy {

class Router {
 public:
  // With the routes of every dialect. The catalogs must outlive the router, and every `respond`, which goes last of
  // what a request holds: a gateway can't end on a thread that works for it.
  Router(const Current<Catalog>& catalogs, const ApiOptions& options);

  const std::vector<Route>& routes() const { return routes_; }

  // By path alone; null when there is none.
  const Route* find(std::string_view path) const;

  // 404, 405, and OPTIONS; nothing when the request may go on.
  std::optional<http::Response> admit(const http::RequestHead& head) const;

  // Large bodies are read on the router's own thread, others at once. Call only with what admit() let pass.
  void handle(http::Request request, http::Respond respond) const;

  http::Response refuse(const http::RequestHead& head, const absl::Status& status) const;

 private:
  void read(ApiCall call) const;
  const Route* choose(const http::RequestHead& head, const Document* body) const;
  absl::StatusOr<ApiContext> context_of(const ApiCall& call) const;

  const Current<Catalog>& catalogs_;
  const ApiOptions options_;
  const std::vector<Route> routes_;
  const std::unique_ptr<Workers> readers_;
};

}  // namespace bouquet::ivy
