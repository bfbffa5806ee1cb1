// libcurl, one easy handle a request.
#include "cli/hub/http.h"

#include <curl/curl.h>

#include <algorithm>
#include <memory>

#include "base/status.h"
#include "base/version.h"
#include "fmt/format.h"

namespace bouquet::cli {
namespace {

constexpr int kMaxRedirects = 8;
constexpr long kConnectSeconds = 10;
constexpr long kStallSeconds = 30;  // a transfer below 1 byte a second for so long has failed

struct Transfer {
  CURL* curl;
  HttpResponse response;
  const BodySink* sink;
};

size_t take_header(char* data, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  std::string_view line(data, size * count);
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return size * count;
  std::string name(line.substr(0, colon));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  line.remove_prefix(colon + 1);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  transfer.response.headers[name] = std::string(line);
  return size * count;
}

size_t take_body(char* data, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &transfer.response.status);
  if (transfer.response.status != 200 && transfer.response.status != 206) return size * count;
  return (*transfer.sink)({data, size * count}, transfer.response) ? size * count : 0;
}

// scheme, host and port
std::string origin_of(const std::string& url) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parsed(curl_url(), curl_url_cleanup);
  std::string origin;
  if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return origin;
  for (const CURLUPart part : {CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT}) {
    char* text = nullptr;
    if (curl_url_get(parsed.get(), part, &text, CURLU_DEFAULT_PORT) == CURLUE_OK) origin.append(text).append("|");
    curl_free(text);
  }
  return origin;
}

absl::StatusOr<std::string> resolve(const std::string& base, const std::string& location) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), curl_url_cleanup);
  char* text = nullptr;
  if (curl_url_set(url.get(), CURLUPART_URL, base.c_str(), 0) != CURLUE_OK ||
      curl_url_set(url.get(), CURLUPART_URL, location.c_str(), 0) != CURLUE_OK ||
      curl_url_get(url.get(), CURLUPART_URL, &text, 0) != CURLUE_OK) {
    return absl::UnavailableError(fmt::format("{} redirects to \"{}\", which is no URL", base, location));
  }
  std::string result(text);
  curl_free(text);
  return result;
}

absl::StatusOr<HttpResponse> get_once(const std::string& url, const std::string& token, int64_t from_byte,
                                      const BodySink& sink) {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
  Transfer transfer{curl.get(), {}, &sink};
  curl_slist* list = curl_slist_append(nullptr, fmt::format("User-Agent: bouquet/{}", kVersion).c_str());
  if (!token.empty()) list = curl_slist_append(list, ("Authorization: Bearer " + token).c_str());
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(list, curl_slist_free_all);
  const std::string range = fmt::format("{}-", from_byte);
  if (from_byte > 0) curl_easy_setopt(curl.get(), CURLOPT_RANGE, range.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_TIME, kStallSeconds);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &transfer);
  const CURLcode code = curl_easy_perform(curl.get());
  if (code != CURLE_OK) return absl::UnavailableError(fmt::format("{}: {}", url, curl_easy_strerror(code)));
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &transfer.response.status);
  return std::move(transfer.response);
}

}  // namespace

absl::StatusOr<HttpResponse> http_get(const HttpRequest& request, const BodySink& sink) {
  static const bool kReady = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  if (!kReady) return absl::InternalError("libcurl does not start");
  const std::string home = origin_of(request.url);
  std::string url = request.url;
  for (int hop = 0; hop <= kMaxRedirects; ++hop) {
    const bool at_home = origin_of(url) == home;
    ASSIGN_OR_RETURN(HttpResponse response, get_once(url, at_home ? request.token : "", request.from_byte, sink));
    const auto location = response.headers.find("location");
    if (response.status < 300 || response.status >= 400 || location == response.headers.end()) return response;
    ASSIGN_OR_RETURN(url, resolve(url, location->second));
  }
  return absl::UnavailableError(fmt::format("{}: more than {} redirects", request.url, kMaxRedirects));
}

}  // namespace bouquet::cli
