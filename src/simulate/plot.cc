// Four panels with logarithmic axes: time over the share of requests that took longer.
#include "simulate/plot.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fmt/format.h"

namespace bouquet::simulate {
namespace {

constexpr double kWidth = 215, kHeight = 230;  // of a panel's axes
constexpr double kLeft = 50, kTop = 60, kApart = 25;
constexpr double kDecades = 4;                     // of the share, from all down to 1 in 10,000
constexpr double kFastest = 1e-3, kSlowest = 100;  // seconds
constexpr double kLeastBeyond = 3;                 // requests that a point must have beyond it

std::string_view colour_of(Policy policy) {
  switch (policy) {
    case Policy::kRoundRobin:
      return "#d98200";
    case Policy::kRandom:
      return "#b0309a";
    case Policy::kLeastLoaded:
      return "#0a8f6a";
    case Policy::kOurs:
      return "#1f5fd0";
  }
  return "#000";
}

double x_of(double decades) { return kWidth * decades / kDecades; }

double y_of(double seconds) {
  const double share = std::log10(std::clamp(seconds, kFastest, kSlowest) / kFastest) / std::log10(kSlowest / kFastest);
  return kHeight * (1 - share);
}

std::string text(double x, double y, std::string_view what, std::string_view more) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more, what);
}

std::string grid(bool with_times) {
  std::string svg;
  const char* const times[] = {"1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s"};
  for (int i = 0; i < 6; ++i) {
    const double y = y_of(kFastest * std::pow(10, i));
    svg += fmt::format("<path d=\"M0 {0:.1f}H{1:.1f}\" stroke=\"#ddd\"/>\n", y, kWidth);
    if (with_times) svg += text(-5, y + 4, times[i], "text-anchor=\"end\"");
  }
  const char* const shares[] = {"all", "p90", "p99", "p99.9", "p99.99"};
  for (int i = 0; i <= static_cast<int>(kDecades); ++i) {
    svg += fmt::format("<path d=\"M{0:.1f} 0V{1:.1f}\" stroke=\"#ddd\"/>\n", x_of(i), kHeight);
    svg += text(x_of(i), kHeight + 15, shares[i], "text-anchor=\"middle\"");
  }
  return svg;
}

std::string line(const std::vector<float>& latencies, std::string_view colour) {
  std::string points;
  for (double decades = 0; decades <= kDecades + 1e-9; decades += 0.1) {
    const double beyond = std::pow(10, -decades);
    if (beyond * static_cast<double>(latencies.size()) < kLeastBeyond) break;
    points += fmt::format("{:.1f},{:.1f} ", x_of(decades), y_of(quantile(latencies, 1 - beyond)));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n", points, colour);
}

std::string panel(std::span<const Result> results, int index) {
  const bool chunked = index % 2 == 1, bulk = index / 2 == 1;
  std::string svg =
      fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n", kLeft + index * (kWidth + kApart), kTop);
  svg += grid(index == 0);
  svg += text(kWidth / 2, -8, fmt::format("{}, {}", bulk ? "bulk" : "online", chunked ? "chunked" : "whole"),
              "text-anchor=\"middle\" font-weight=\"bold\"");
  for (const Result& result : results) {
    if (result.chunked == chunked) svg += line(bulk ? result.bulk : result.online, colour_of(result.policy));
  }
  return svg + "</g>\n";
}

std::string legend() {
  std::string svg;
  double x = kLeft;
  for (const Policy policy : kPolicies) {
    svg += fmt::format("<path d=\"M{:.1f} 34h20\" stroke=\"{}\" stroke-width=\"3\"/>\n", x, colour_of(policy));
    svg += text(x + 25, 38, name_of(policy), "");
    x += 110;
  }
  return svg;
}

std::string escaped(const std::string& raw) {
  std::string out;
  for (const char c : raw) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

}  // namespace

std::string plot(std::span<const Result> results, const std::string& title) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" font-family=\"sans-serif\" "
      "font-size=\"11\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/><g fill=\"#333\">\n",
      kLeft + 4 * (kWidth + kApart), kTop + kHeight + 25);
  svg += text(kLeft, 18, escaped(title), "") + legend();
  for (int i = 0; i < 4; ++i) svg += panel(results, i);
  return svg + "</g></svg>\n";
}

}  // namespace bouquet::simulate
