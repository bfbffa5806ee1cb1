// What a dialect is to the router: a table of routes, each with the function that answers it and the shape of its
// errors.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "base/json_writer.h"
#include "ivy/api/json.h"
#include "ivy/catalog.h"
#include "ivy/http/message.h"
#include "ivy/job.h"

namespace bouquet::ivy {

struct Route;

struct ApiOptions {
  size_t max_inputs = 2048;
  bool any_model_name = false;
};

// What an endpoint may use while it is called.
struct ApiContext {
  const ApiOptions& options;
  std::span<const Route> routes;  // of all dialects
  const Catalog& catalog;
  Gateway* gateway = nullptr;         // of the model that was asked for; null where the server itself answers
  std::string model;                  // as the request names it, or else its name
  std::optional<std::string> prompt;  // the prompt that the model's name asks for
};

// A request on its way through a dialect.
struct ApiCall {
  const Route* route = nullptr;
  http::Request request;
  std::shared_ptr<const Document> body;  // POST only
  std::string rest;                      // what the route's {id} stands for
  http::Respond respond;
  std::shared_ptr<const Catalog> catalog;  // keeps the gateway; let go of before `respond` is
};

// Who answers, and so whether the body's `model` matters.
enum class Answers : uint8_t {
  kNamedModel,  // the model that `model` names
  kModel,       // the same in a dialect without such a field: where there is but one model, it is that one
  kPathModel,   // the model that the path's {id} names
  kServer,      // no model: the server itself
};

using Endpoint = void (*)(const ApiContext& context, ApiCall call);
using ErrorShape = http::Response (*)(const absl::Status& status);

struct Route {
  std::string_view method;
  std::string_view path;  // literal, or with one {id}, which stands for anything, slashes included
  Endpoint endpoint = nullptr;
  ErrorShape error = nullptr;
  std::string_view summary;
  std::string_view request;   // JSON schema of the body; "" for none
  std::string_view reply;     // media type of a good reply
  std::string_view body_key;  // where routes share a path: the one whose body has this key
  bool open = false;          // needs no API key
  Answers answers = Answers::kNamedModel;
};

// Refuses in the route's shape, with the headers that go with the status.
void fail(const ApiCall& call, const absl::Status& status);
http::Response error_response(ErrorShape shape, const absl::Status& status);

// {KEY: message}, with the HTTP status that the message's own stands for.
http::Response message_error(std::string_view key, const absl::Status& status);

// Runs the job with the request's deadline and id, and answers with what `encode` makes of the result.
using Encode = std::function<http::Response(const JobResult& result)>;
void run_job(const ApiContext& context, ApiCall call, Job job, Encode encode);

// The same for several, at once, with the results in the order of the jobs. Of several that fail, the first one's error
// is the answer; `explain`, if any, makes it one of the whole request.
using EncodeAll = std::function<http::Response(std::span<const JobResult> results)>;
using Explain = std::function<absl::Status(size_t job, const absl::Status& status)>;
void run_jobs(const ApiContext& context, ApiCall call, std::vector<Job> jobs, EncodeAll encode, Explain explain = {});

// A reply without a body.
http::Response empty_reply(int status);

// A JSON reply; notes tokens and cut inputs, in the header x-bouquet-truncated too.
http::Response json_reply(std::string body, const JobResult& result);

// {"prompt_tokens","total_tokens"}
void write_usage(const JobResult& result, JsonWriter* json);

}  // namespace bouquet::ivy
