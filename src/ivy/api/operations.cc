// Health, metrics, and the description of all routes, made from their table.
#include "ivy/api/operations.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/metrics.h"
#include "base/version.h"
#include "ivy/api/openai.h"
#include "ivy/meters.h"

namespace bouquet::ivy {
namespace {

using Operations = std::map<std::string_view, std::map<std::string_view, std::vector<const Route*>>>;

Operations by_path(std::span<const Route> routes) {
  Operations operations;
  for (const Route& route : routes) operations[route.path][route.method].push_back(&route);
  return operations;
}

// Routes that take the same body are told of once.
void write_body(const std::vector<const Route*>& routes, JsonWriter* json) {
  std::vector<std::string_view> schemas;
  for (const Route* route : routes) {
    if (std::find(schemas.begin(), schemas.end(), route->request) == schemas.end()) schemas.push_back(route->request);
  }
  json->key("requestBody").begin_object().key("required").boolean(true).key("content").begin_object();
  json->key("application/json").begin_object().key("schema");
  if (schemas.size() == 1) {
    json->raw(schemas.front());
  } else {
    json->begin_object().key("oneOf").begin_array();
    for (const std::string_view schema : schemas) json->raw(schema);
    json->end_array().end_object();
  }
  json->end_object().end_object().end_object();
}

void write_operation(const std::vector<const Route*>& routes, JsonWriter* json) {
  const Route& route = *routes.front();
  json->begin_object().key("summary").string(route.summary);
  json->key("security").begin_array();
  if (!route.open) json->begin_object().key("key").begin_array().end_array().end_object();
  json->end_array();
  if (route.path.find("{id}") != std::string_view::npos) {
    json->key("parameters").begin_array().begin_object().key("name").string("id").key("in").string("path");
    json->key("required").boolean(true).key("schema").raw(R"({"type":"string"})").end_object().end_array();
  }
  if (!route.request.empty()) write_body(routes, json);
  json->key("responses").begin_object().key("200").begin_object().key("description").string("The answer");
  json->key("content").begin_object().key(route.reply).begin_object().end_object().end_object().end_object();
  json->key("default").begin_object().key("description").string("An error, in the shape of the dialect");
  json->end_object().end_object().end_object();
}

http::Response text_reply(std::string body, std::string content_type) {
  http::Response response;
  response.body = std::move(body);
  response.content_type = std::move(content_type);
  return response;
}

void health(const ApiContext&, ApiCall call) { call.respond(text_reply(R"({"status":"alive"})", "application/json")); }

void ready(const ApiContext& context, ApiCall call) {
  const bool is_ready = context.catalog.ready();
  http::Response response =
      text_reply(is_ready ? R"({"status":"ready"})" : R"({"status":"not ready"})", "application/json");
  response.status = is_ready ? 200 : 503;
  call.respond(std::move(response));
}

void show_metrics(const ApiContext& context, ApiCall call) {
  for (const Offer& offer : context.catalog.offers()) {
    set_replicas_of(offer.name, offer.gateway ? offer.gateway->replicas() : 0);
  }
  call.respond(text_reply(metrics().render(), "text/plain; version=0.0.4; charset=utf-8"));
}

void openapi(const ApiContext& context, ApiCall call) {
  call.respond(text_reply(describe_routes(context.routes), "application/json"));
}

void docs(const ApiContext& context, ApiCall call) {
  std::string page =
      "<!doctype html><html lang=en><meta charset=utf-8><title>Bouquet</title><style>body{font:16px/1.5 sans-serif;"
      "max-width:50em;margin:2em auto;padding:0 1em}td{padding:.1em 1em .1em 0}</style><h1>Bouquet</h1><p>Embeddings "
      "and reranking. All routes, with their fields, are in <a href=/openapi.json>openapi.json</a>.<table>";
  for (const Route& route : context.routes) {
    page.append("<tr><td><code>").append(route.method).append(" ").append(route.path).append("</code><td>");
    page.append(route.summary);
  }
  page.append(
      "</table><pre>curl localhost:8080/v1/embeddings -d '{\"input\":\"two kinds of traffic\"}'</pre></html>\n");
  call.respond(text_reply(std::move(page), "text/html; charset=utf-8"));
}

constexpr std::string_view kJson = "application/json";
constexpr Route kRoutes[] = {
    {"GET", "/health", health, openai_error, "Alive", "", kJson, "", true, Answers::kServer},
    {"GET", "/ready", ready, openai_error, "A request sent now would be served, by one model at least", "", kJson, "",
     true, Answers::kServer},
    {"GET", "/metrics", show_metrics, openai_error, "Metrics for Prometheus", "", "text/plain", "", false,
     Answers::kServer},
    {"GET", "/openapi.json", openapi, openai_error, "This description", "", kJson, "", false, Answers::kServer},
    {"GET", "/docs", docs, openai_error, "The routes, for people", "", "text/html", "", false, Answers::kServer},
};

}  // namespace

std::span<const Route> operations_routes() { return kRoutes; }

std::string describe_routes(std::span<const Route> routes) {
  JsonWriter json;
  json.begin_object().key("openapi").string("3.1.0").key("info").begin_object().key("title").string("Bouquet");
  json.key("version").string(kVersion).end_object().key("paths").begin_object();
  for (const auto& [path, methods] : by_path(routes)) {
    json.key(path).begin_object();
    for (const auto& [method, same] : methods) write_operation(same, &json.key(method == "GET" ? "get" : "post"));
    json.end_object();
  }
  json.end_object().key("components").begin_object().key("securitySchemes").begin_object();
  json.key("key").raw(R"({"type":"http","scheme":"bearer"})").end_object().end_object().end_object();
  return std::move(json).str();
}

}  // namespace bouquet::ivy
