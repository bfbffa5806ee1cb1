// Time of the tokenizer alone, one thread: ids of many texts into the caller's array, new texts and the same again.
//
//   tokenizer_bench tokenizer.json CORPUS.txt TOKENS TEXTS
//
// CORPUS is one stream of UTF-8, cut here into TEXTS texts of TOKENS tokens. "Cold" is the first pass of a tokenizer
// just loaded, "warm" the median of five more over the first tenth; both are medians over three loads.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>

#include "fmt/format.h"
#include "tokenizer/tokenizer.h"

namespace {

using bouquet::tokenizer::EncodeOptions;
using bouquet::tokenizer::Encoding;
using bouquet::tokenizer::Tokenizer;
using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

std::vector<std::string> cut(const Tokenizer& tokenizer, std::string_view stream, int32_t tokens, size_t texts) {
  EncodeOptions options;
  options.max_length = tokens;
  std::vector<std::string> result;
  Encoding encoding;
  while (result.size() < texts && !stream.empty()) {
    tokenizer.encode(stream, options, &encoding);
    uint32_t end = 0;
    for (const auto& offset : encoding.offsets) end = std::max(end, offset.end);
    if (end == 0) break;
    result.emplace_back(stream.substr(0, end));
    stream.remove_prefix(end);
  }
  return result;
}

// Microseconds a text of one pass.
double pass(const Tokenizer& tokenizer, std::span<const std::string> texts, std::vector<int32_t>* ids) {
  const Clock::time_point start = Clock::now();
  for (const std::string& text : texts) tokenizer.encode_ids(text, {}, ids);
  return microseconds_since(start) / static_cast<double>(texts.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: tokenizer_bench tokenizer.json CORPUS.txt TOKENS TEXTS\n";
    return 2;
  }
  std::ifstream file(argv[2], std::ios::binary);
  const std::string stream{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> texts;
  std::vector<double> loads, colds, warms;
  std::vector<int32_t> ids;
  for (int load = 0; load < 3; ++load) {
    const Clock::time_point start = Clock::now();
    const auto tokenizer = Tokenizer::load(argv[1]);
    if (!tokenizer.ok()) {
      std::cerr << tokenizer.status() << "\n";
      return 1;
    }
    loads.push_back(microseconds_since(start) / 1000);
    if (texts.empty()) texts = cut(**tokenizer, stream, std::stoi(argv[3]), std::stoul(argv[4]));
    if (texts.empty()) {
      std::cerr << argv[2] << " has no text\n";
      return 1;
    }
    colds.push_back(pass(**tokenizer, texts, &ids));
    const std::span<const std::string> again = std::span(texts).first(std::max<size_t>(1, texts.size() / 10));
    std::vector<double> passes;
    for (int i = 0; i < 5; ++i) passes.push_back(pass(**tokenizer, again, &ids));
    warms.push_back(median(passes));
    Encoding encoding;
    for (const std::string& text : texts) {
      (*tokenizer)->encode(text, {}, &encoding);
      (*tokenizer)->encode_ids(text, {}, &ids);
      if (ids == encoding.ids) continue;
      std::cerr << "encode_ids and encode differ: " << text << "\n";
      return 1;
    }
  }
  double bytes = 0;
  for (const std::string& text : texts) bytes += static_cast<double>(text.size());
  bytes /= static_cast<double>(texts.size());
  fmt::print(
      "{} texts of {:.0f} bytes: cold {:.1f} us, warm {:.1f} us a text; {:.2f} and {:.2f} ns a byte; loads in {:.0f} "
      "ms\n",
      texts.size(), bytes, median(colds), median(warms), median(colds) * 1000 / bytes, median(warms) * 1000 / bytes,
      median(loads));
}
