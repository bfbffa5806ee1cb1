// `bouquet bench`: the standard workloads against a running server, ours or another.
#include <fstream>
#include <iostream>
#include <memory>

#include "base/file.h"
#include "base/json_writer.h"
#include "base/status.h"
#include "cli/bench/dialect.h"
#include "cli/bench/http_target.h"
#include "cli/bench/tulip_target.h"
#include "cli/bench/workloads.h"
#include "cli/command.h"
#include "cli/numbers.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace bouquet::cli {
namespace {

constexpr char kDefaultUrl[] = "http://localhost:8080", kDefaultTulip[] = "localhost:9090";
constexpr double kMaxDeviation = 0.001;

struct BenchFlags {
  HttpTargetOptions http;
  std::string dialect = "openai";
  std::string reference;
  std::vector<int> workloads = {1, 3, 4, 5};
  BenchCounts counts;
  bool full = false;
  std::string json;
};

const std::vector<std::string> kWarmUpTexts = {"two kinds of traffic", "one engine", "Hokkaid\xC5\x8D",
                                               "The quick brown fox."};

// Lines of {"text": ..., "embedding": [...]}.
absl::Status read_reference(const std::string& path, std::vector<std::string>* texts,
                            std::vector<std::vector<double>>* vectors) {
  std::ifstream in(path);
  if (!in) return absl::NotFoundError(fmt::format("cannot open {}", path));
  simdjson::dom::parser parser;
  for (std::string line; std::getline(in, line);) {
    simdjson::dom::element root;
    std::string_view text;
    simdjson::dom::array values;
    if (parser.parse(line).get(root) || root["text"].get(text) || root["embedding"].get(values)) {
      return absl::InvalidArgumentError(fmt::format("{}:{}: not {{\"text\", \"embedding\"}}", path, texts->size() + 1));
    }
    texts->emplace_back(text);
    std::vector<double>& vector = vectors->emplace_back();
    for (simdjson::dom::element value : values) vector.push_back(value.get_double().value_unsafe());
  }
  return absl::OkStatus();
}

absl::Status compare_with_reference(const BenchFlags& f, const HttpTarget& target) {
  std::vector<std::string> texts = kWarmUpTexts;
  std::vector<std::vector<double>> wanted;
  if (f.reference.starts_with("http")) {
    HttpTargetOptions options = target.options();
    options.url = f.reference;
    ASSIGN_OR_RETURN(const auto other, HttpTarget::find(std::move(options)));
    ASSIGN_OR_RETURN(wanted, other->vectors_of(texts));
  } else {
    texts.clear();
    RETURN_IF_ERROR(read_reference(f.reference, &texts, &wanted));
  }
  ASSIGN_OR_RETURN(const auto got, target.vectors_of(texts));
  for (size_t i = 0; i < texts.size(); ++i) {
    const double deviation = i < got.size() ? cosine_deviation(got[i], wanted[i]) : 2;
    if (deviation > kMaxDeviation) {
      return absl::FailedPreconditionError(
          fmt::format("the vector of \"{}\" deviates by {:.5f} (cosine) from {}: speed of wrong "
                      "vectors is not measured",
                      texts[i].substr(0, 40), deviation, f.reference));
    }
  }
  std::cout << fmt::format("{} vectors agree with {}\n", texts.size(), f.reference);
  return absl::OkStatus();
}

void print(const BenchRow& row) {
  if (!row.skipped.empty()) {
    std::cout << fmt::format("{:<12} {:<32} skipped: {}\n", row.workload, row.detail, row.skipped) << std::flush;
    return;
  }
  const Summary& s = row.latency;
  std::cout << fmt::format("{:<12} {:<32} {:>7} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f} {:>10.1f}\n", row.workload,
                           row.detail, s.count, s.p50 * 1e3, s.p90 * 1e3, s.p99 * 1e3, s.max * 1e3, row.per_second)
            << std::flush;
}

void add_json(JsonWriter& json, const BenchRow& row) {
  json.begin_object().key("workload").string(row.workload).key("detail").string(row.detail);
  if (!row.skipped.empty()) {
    json.key("skipped").string(row.skipped).end_object();
    return;
  }
  json.key("requests").number(static_cast<int64_t>(row.latency.count)).key("p50_ms").number(row.latency.p50 * 1e3);
  json.key("p90_ms").number(row.latency.p90 * 1e3).key("p99_ms").number(row.latency.p99 * 1e3);
  json.key("max_ms").number(row.latency.max * 1e3).key("per_second").number(row.per_second).end_object();
}

void print_head(const BenchFlags& f, const std::string& model) {
  std::cout << fmt::format("{} at {}, dialect {}\n", model.empty() ? "model" : model, f.http.url, f.dialect);
  std::cout << fmt::format("{:<12} {:<32} {:>7} {:>9} {:>9} {:>9} {:>9} {:>10}\n", "workload", "", "requests", "p50 ms",
                           "p90 ms", "p99 ms", "max ms", "inputs/s");
}

absl::StatusOr<std::unique_ptr<Target>> find_http(BenchFlags& f) {
  if (f.http.url.empty()) f.http.url = kDefaultUrl;
  ASSIGN_OR_RETURN(f.http.dialect, find_dialect(f.dialect));
  ASSIGN_OR_RETURN(auto target, HttpTarget::find(f.http));
  if (!f.reference.empty()) RETURN_IF_ERROR(compare_with_reference(f, *target));
  print_head(f, target->options().model);
  return std::unique_ptr<Target>(std::move(target));
}

absl::StatusOr<std::unique_ptr<Target>> find_tulip(BenchFlags& f) {
  if (!f.reference.empty()) return absl::InvalidArgumentError("--reference compares replies of HTTP servers only");
  if (f.http.url.empty()) f.http.url = kDefaultTulip;
  ASSIGN_OR_RETURN(auto target, TulipTarget::find(f.http.url));
  print_head(f, target->card().name);
  return std::unique_ptr<Target>(std::move(target));
}

absl::Status bench(BenchFlags& f) {
  if (f.full) f.counts.latency = 10000;
  ASSIGN_OR_RETURN(const std::unique_ptr<Target> target, f.dialect == "tulip" ? find_tulip(f) : find_http(f));
  JsonWriter json;
  json.begin_array();
  for (const int number : f.workloads) {
    RETURN_IF_ERROR(run_workload(number, *target, f.counts, [&](const BenchRow& row) {
      print(row);
      add_json(json, row);
    }));
  }
  json.end_array();
  if (!f.json.empty()) {
    std::ofstream out(f.json);
    out << json.view() << "\n";
    if (!out) return absl::FailedPreconditionError(fmt::format("cannot write {}", f.json));
  }
  return absl::OkStatus();
}

}  // namespace

Action add_bench(CLI::App& app) {
  CLI::App* c =
      app.add_subcommand("bench", "Measure a running server: latency, scoring, throughput, concurrency, mixed load");
  auto f = std::make_shared<BenchFlags>();
  c->add_option("--url", f->http.url,
                fmt::format("The server (default: {}; of a tulip: {})", kDefaultUrl, kDefaultTulip));
  c->add_option("--dialect", f->dialect,
                "openai, tei, vllm, llama, infinity; tulip: token ids over gRPC to a `bouquet tulip`")
      ->check(CLI::IsMember({"openai", "tei", "vllm", "llama", "infinity", "tulip"}))
      ->capture_default_str();
  c->add_option("--key", f->http.key, "API key");
  c->add_option("--served-model", f->http.model, "The model's name for the server (default: the first of /v1/models)");
  c->add_option("--max-tokens", f->http.max_tokens,
                "Longest input; longer ones are skipped (default: what the server says)");
  c->add_option("--ids", f->http.ids_frame,
                "First special, filler and last special token id: workload 1 then sends ids (BERT: 101 1996 102)")
      ->expected(3);
  c->add_option("--workload", f->workloads,
                "1 latency, 2 scoring, 3 throughput, 4 concurrency, 5 mixed, 6 as the --own flags say; may be repeated")
      ->check(CLI::Range(1, 6))
      ->capture_default_str();
  c->add_option("--reference", f->reference,
                "A server's URL, or a file of {\"text\",\"embedding\"} lines, to compare vectors with first");
  c->add_flag("--full", f->full, "10,000 requests a length in workload 1");
  c->add_option("--latency-requests", f->counts.latency, "Requests a length in workload 1")
      ->check(above_zero())
      ->capture_default_str();
  c->add_option("--scoring-requests", f->counts.scoring, "Requests a size in workload 2")
      ->check(above_zero())
      ->capture_default_str();
  c->add_option("--throughput-batches", f->counts.throughput, "Batches a length in workload 3")
      ->check(above_zero())
      ->capture_default_str();
  c->add_option("--concurrency-requests", f->counts.concurrency, "Requests a client in workload 4")
      ->check(above_zero())
      ->capture_default_str();
  c->add_option("--mixed-seconds", f->counts.mixed_seconds, "Length of each half of workload 5")
      ->check(above_zero())
      ->capture_default_str();
  c->add_option("--mixed-rate", f->counts.mixed_rate, "Short queries a second in workload 5")
      ->check(above_zero())
      ->capture_default_str();
  OwnWorkload& own = f->counts.own;
  c->add_option("--own-inputs", own.inputs, "Inputs a request in workload 6")
      ->check(above_zero())
      ->capture_default_str();
  c->add_option("--own-tokens", own.tokens, "Tokens an input")->check(above_zero())->capture_default_str();
  c->add_option("--own-requests", own.requests, "Requests in all")->check(above_zero())->capture_default_str();
  c->add_option("--own-clients", own.clients, "Clients; with a rate: most requests at once")
      ->check(above_zero())
      ->capture_default_str();
  c->add_option("--own-rate", own.rate,
                "Requests a second, whatever becomes of them; 0: each client's next when its last was answered")
      ->check(zero_or_more())
      ->capture_default_str();
  c->add_option("--json", f->json, "Also write the rows to this file");
  c->footer(
      "Texts repeat, so a server with --result-cache-mb is measured as its cache.\n\n"
      "  bouquet bench --url http://localhost:8080\n  bouquet bench --url http://other:3000 --dialect tei --reference "
      "http://localhost:8080\n  bouquet bench --url localhost:9090 --dialect tulip --workload 1 3");
  return [f] { return bench(*f); };
}

}  // namespace bouquet::cli
