// The table of all routes, searched in order.
#include "ivy/api/router.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ivy/api/cohere.h"
#include "ivy/api/hosts.h"
#include "ivy/api/ollama.h"
#include "ivy/api/openai.h"
#include "ivy/api/operations.h"
#include "ivy/api/perplexity.h"
#include "ivy/api/rerank.h"
#include "ivy/api/tei.h"
#include "ivy/api/vllm.h"
#include "ivy/api/weaviate.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

constexpr size_t kInlineBody = 64 << 10;  // JSON up to this is read on the connection's thread
constexpr size_t kMostWaiting = 4096;     // large bodies
constexpr std::string_view kId = "{id}";

// What {id} stands for in the path; nothing where the route is another. Without an {id} it stands for "".
std::optional<std::string_view> match(const Route& route, std::string_view path) {
  const size_t at = route.path.find(kId);
  if (at == std::string_view::npos) return path == route.path ? std::optional<std::string_view>("") : std::nullopt;
  const std::string_view prefix = route.path.substr(0, at), suffix = route.path.substr(at + kId.size());
  if (path.size() <= prefix.size() + suffix.size()) return std::nullopt;
  if (!path.starts_with(prefix) || !path.ends_with(suffix)) return std::nullopt;
  return path.substr(prefix.size(), path.size() - prefix.size() - suffix.size());
}

// HEAD is GET without the body.
std::string_view method_of(const http::RequestHead& head) {
  return head.method == "HEAD" ? std::string_view("GET") : std::string_view(head.method);
}

std::vector<Route> all_routes() {
  std::vector<Route> routes;
  for (const auto table : {openai_routes(), perplexity_routes(), cohere_routes(), tei_routes(), rerank_routes(),
                           vllm_routes(), ollama_routes(), hosts_routes(), weaviate_routes(), operations_routes()}) {
    routes.insert(routes.end(), table.begin(), table.end());
  }
  return routes;
}

}  // namespace

Router::Router(const Current<Catalog>& catalogs, const ApiOptions& options)
    : catalogs_(catalogs),
      options_(options),
      routes_(all_routes()),
      readers_(std::make_unique<Workers>("ivy-reader", 1, kMostWaiting)) {}

const Route* Router::find(std::string_view path) const {
  const auto found =
      std::find_if(routes_.begin(), routes_.end(), [&](const Route& r) { return match(r, path).has_value(); });
  return found == routes_.end() ? nullptr : &*found;
}

std::optional<http::Response> Router::admit(const http::RequestHead& head) const {
  std::string allow;
  for (const Route& route : routes_) {
    if (!match(route, head.path)) continue;
    if (route.method == method_of(head)) return std::nullopt;
    if (allow.find(route.method) == std::string::npos) {
      absl::StrAppend(&allow, std::string(route.method), route.method == "GET" ? ", HEAD, " : ", ");
    }
  }
  if (allow.empty()) {
    return refuse(head, absl::NotFoundError(absl::StrCat("there is no ", head.path, " here; see /docs")));
  }
  allow.append("OPTIONS");
  http::Response response;
  if (head.method == "OPTIONS") {
    response.status = 204;
    response.content_type.clear();
  } else {
    response = refuse(head, absl::UnimplementedError(absl::StrCat(head.path, " takes ", allow, ", not ", head.method)));
  }
  response.headers.emplace_back("allow", allow);
  return response;
}

const Route* Router::choose(const http::RequestHead& head, const Document* body) const {
  const Route* first = nullptr;
  for (const Route& route : routes_) {
    if (route.method != method_of(head) || !match(route, head.path)) continue;
    if (first == nullptr) first = &route;
    if (body == nullptr || route.body_key.empty() || body->has(route.body_key)) return &route;
  }
  return first;
}

http::Response Router::refuse(const http::RequestHead& head, const absl::Status& status) const {
  const Route* route = find(head.path);
  return error_response(route == nullptr ? openai_error : route->error, status);
}

void Router::handle(http::Request request, http::Respond respond) const {
  ApiCall call;
  call.route = choose(request.head, nullptr);
  call.request = std::move(request);
  call.respond = std::move(respond);
  if (call.request.body.size() <= kInlineBody) return read(std::move(call));
  auto shared = std::make_shared<ApiCall>(std::move(call));
  if (!readers_->try_post([this, shared] { read(std::move(*shared)); })) {
    fail(*shared, tulip::overloaded_error("too many large requests are waiting", std::chrono::seconds(1)));
  }
}

// This is where the model is chosen.
absl::StatusOr<ApiContext> Router::context_of(const ApiCall& call) const {
  ApiContext context{options_, routes_, *call.catalog, nullptr, {}, {}};
  const Answers answers = call.route->answers;
  if (answers == Answers::kServer) return context;
  const bool only_one = answers == Answers::kModel && call.catalog->offers().size() == 1;
  std::string_view name = only_one || !call.body ? "" : call.body->text("model");
  if (answers == Answers::kPathModel) name = call.rest;
  ASSIGN_OR_RETURN(Catalog::Choice choice, call.catalog->choose(name, options_.any_model_name));
  if (!choice.offer->gateway) {
    return absl::UnavailableError(absl::StrCat("no replica of ", choice.offer->name, " has been there yet"));
  }
  context.gateway = choice.offer->gateway.get();
  context.model = name.empty() ? choice.offer->name : std::string(name);
  context.prompt = std::move(choice.prompt);
  return context;
}

void Router::read(ApiCall call) const {
  const http::Respond respond = call.respond;
  const ErrorShape shape = call.route->error;
  try {
    if (call.route->method == "POST") {
      absl::StatusOr<Document> document = Document::parse(call.request.body);
      if (!document.ok()) return fail(call, document.status());
      call.body = std::make_shared<const Document>(*std::move(document));
      call.route = choose(call.request.head, call.body.get());
    }
    call.rest = match(*call.route, call.request.head.path).value_or("");
    call.catalog = catalogs_.get();
    const absl::StatusOr<ApiContext> context = context_of(call);
    if (!context.ok()) return fail(call, context.status());
    call.route->endpoint(*context, std::move(call));
  } catch (const std::exception& error) {
    respond(error_response(shape, absl::InternalError(error.what())));
  }
}

}  // namespace bouquet::ivy
