// Requests as JSON bodies.
#include "cli/bench/http_target.h"

#include <utility>

#include "base/status.h"
#include "cli/bench/http_session.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace bouquet::cli {
namespace {

constexpr int kQueryTokens = 8;  // of a pair

struct Request {
  std::string path, body;
};

Request embed_request(const HttpTargetOptions& o, const Ask& ask) {
  return {std::string(o.dialect.embed_path),
          embed_body(o.dialect, o.model, std::vector<std::string>(ask.inputs, text_of(ask.tokens)))};
}

Request ids_request(const HttpTargetOptions& o, const Ask& ask) {
  if (o.ids_frame.empty()) return embed_request(o, ask);
  std::vector<int> ids(ask.tokens, o.ids_frame[1]);
  ids.front() = o.ids_frame[0];
  ids.back() = o.ids_frame[2];
  return {std::string(o.dialect.embed_path), embed_ids_body(o.dialect, o.model, ids)};
}

Request score_request(const HttpTargetOptions& o, const Ask& ask) {
  const std::vector<std::string> documents(ask.inputs, text_of(ask.tokens - kQueryTokens + 1));
  return {std::string(o.dialect.rerank_path), rerank_body(o.dialect, o.model, text_of(kQueryTokens), documents)};
}

class JsonSession : public Session {
 public:
  JsonSession(const HttpTargetOptions& options, std::shared_ptr<const Request> request)
      : http_(options.url, options.key), request_(std::move(request)) {}
  absl::Status send() override { return http_.post(request_->path, request_->body).status(); }

 private:
  HttpSession http_;
  const std::shared_ptr<const Request> request_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<HttpTarget>> HttpTarget::find(HttpTargetOptions options) {
  if (!options.dialect.takes_ids) options.ids_frame.clear();
  while (options.url.ends_with('/')) options.url.pop_back();
  std::unique_ptr<HttpTarget> target(new HttpTarget(std::move(options)));
  RETURN_IF_ERROR(target->ask_the_server());
  return target;
}

absl::Status HttpTarget::ask_the_server() {
  HttpSession session(options_.url, options_.key);
  const auto reply = session.get("/v1/models");
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::string_view name;
  int64_t limit = 0;
  if (absl::IsUnavailable(reply.status())) {
    return absl::UnavailableError(fmt::format("{}: is a server running there? Another is named with --url",
                                              std::string(reply.status().message())));
  }
  if (!reply.ok() || parser.parse(*reply).get(root)) return absl::OkStatus();
  if (options_.model.empty() && !root.at_pointer("/data/0/id").get(name)) options_.model = name;
  for (const char* field : {"/data/0/max_tokens", "/data/0/max_model_len"}) {
    if (options_.max_tokens == 0 && !root.at_pointer(field).get(limit)) options_.max_tokens = static_cast<int>(limit);
  }
  return absl::OkStatus();
}

Connect HttpTarget::prepare(const Ask& ask) const {
  const auto request =
      std::make_shared<const Request>(ask.kind == Ask::Kind::kEmbed      ? embed_request(options_, ask)
                                      : ask.kind == Ask::Kind::kEmbedIds ? ids_request(options_, ask)
                                                                         : score_request(options_, ask));
  return [this, request] { return std::make_unique<JsonSession>(options_, request); };
}

absl::StatusOr<std::vector<std::vector<double>>> HttpTarget::vectors_of(const std::vector<std::string>& texts) const {
  HttpSession session(options_.url, options_.key);
  ASSIGN_OR_RETURN(const std::string reply, session.post(std::string(options_.dialect.embed_path),
                                                         embed_body(options_.dialect, options_.model, texts)));
  return parse_vectors(reply);
}

std::string text_of(int tokens) {
  std::string text;
  for (int i = 0; i < tokens - 2; ++i) text += i ? " the" : "the";
  return text.empty() ? "a" : text;
}

}  // namespace bouquet::cli
