// A libcurl easy handle that is kept.
#include "cli/bench/http_session.h"

#include <curl/curl.h>

#include "fmt/format.h"

namespace bouquet::cli {
namespace {

constexpr size_t kQuotedBody = 200;  // bytes of an error's body shown

size_t take(char* data, size_t size, size_t count, void* user) {
  static_cast<std::string*>(user)->append(data, size * count);
  return size * count;
}

}  // namespace

struct HttpSession::Handle {
  CURL* curl = curl_easy_init();
  curl_slist* headers = nullptr;
  std::string body;
  ~Handle() {
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
  }
};

HttpSession::HttpSession(std::string url, const std::string& key)
    : url_(std::move(url)), handle_(std::make_unique<Handle>()) {
  CURL* curl = handle_->curl;
  handle_->headers = curl_slist_append(nullptr, "Content-Type: application/json");
  handle_->headers = curl_slist_append(handle_->headers, "Expect:");
  if (!key.empty()) handle_->headers = curl_slist_append(handle_->headers, ("Authorization: Bearer " + key).c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, handle_->headers);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &handle_->body);
}

HttpSession::~HttpSession() = default;
HttpSession::HttpSession(HttpSession&&) noexcept = default;

absl::StatusOr<std::string> HttpSession::post(const std::string& path, const std::string& body) {
  curl_easy_setopt(handle_->curl, CURLOPT_POST, 1L);
  curl_easy_setopt(handle_->curl, CURLOPT_POSTFIELDS, body.data());
  curl_easy_setopt(handle_->curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  return perform(path);
}

absl::StatusOr<std::string> HttpSession::get(const std::string& path) {
  curl_easy_setopt(handle_->curl, CURLOPT_HTTPGET, 1L);
  return perform(path);
}

absl::StatusOr<std::string> HttpSession::perform(const std::string& path) {
  handle_->body.clear();
  curl_easy_setopt(handle_->curl, CURLOPT_URL, (url_ + path).c_str());
  const CURLcode code = curl_easy_perform(handle_->curl);
  if (code != CURLE_OK) return absl::UnavailableError(fmt::format("{}{}: {}", url_, path, curl_easy_strerror(code)));
  long status = 0;
  curl_easy_getinfo(handle_->curl, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200)
    return absl::InternalError(fmt::format("{}{}: {} {}", url_, path, status, handle_->body.substr(0, kQuotedBody)));
  return handle_->body;
}

}  // namespace bouquet::cli
