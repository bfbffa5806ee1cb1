// A text's number is its place in the request, from 1 on: rows that were never filled are 0.
#include "simulate/gateway.h"

#include <numeric>
#include <stop_token>
#include <utility>

#include "ivy/join.h"
#include "ivy/pacing.h"
#include "ivy/split.h"

namespace bouquet::simulate {

struct Gateway::Job {
  Job(const Request& request, std::vector<ivy::ChunkRange> ranges, size_t replicas)
      : lengths(request.lengths),
        pacing(ranges.size(), replicas),
        join(lengths.size(), std::move(ranges), "input", false) {}

  tulip::Chunk chunk(size_t index) {
    ++answer.attempts;
    const ivy::ChunkRange& range = join.chunks()[index];
    const auto begin = lengths.begin() + static_cast<ptrdiff_t>(range.first);
    tulip::Chunk chunk;
    chunk.lengths.assign(begin, begin + static_cast<ptrdiff_t>(range.count));
    chunk.ids.resize(range.count);
    std::iota(chunk.ids.begin(), chunk.ids.end(), static_cast<int32_t>(range.first) + 1);
    chunk.lane = answer.bulk ? tulip::Lane::kBulk : tulip::Lane::kOnline;
    chunk.continues = index > 0;
    return chunk;
  }

  bool is_complete() {
    const std::vector<float> rows = join.take_values();
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] != static_cast<float>(i + 1)) return false;
    }
    return rows.size() == lengths.size();
  }

  const std::vector<int32_t> lengths;
  ivy::Pacing pacing;
  ivy::Join join;
  std::stop_source stop;
  Clock::time_point came;
  Answer answer;
  std::function<void(const Answer&)> answered;
};

void Gateway::run(const Request& request, std::function<void(const Answer&)> answered) {
  auto ranges = ivy::split_by_tokens(request.lengths, options_.chunked ? options_.chunk_tokens : 0);
  const auto job = std::make_shared<Job>(request, std::move(ranges), fleet_->size());
  job->came = loop_.now();
  job->answered = std::move(answered);
  job->answer.tokens = std::accumulate(request.lengths.begin(), request.lengths.end(), int64_t{0});
  job->answer.bulk = job->answer.tokens > options_.chunk_tokens;
  for (size_t i = 0; i < job->pacing.at_once(); ++i) send_next(job);
}

void Gateway::send_next(const std::shared_ptr<Job>& job) {
  const std::optional<size_t> next = job->pacing.next(job->stop.stop_requested());
  if (!next) return;
  ++job->answer.chunks;
  fleet_->run({.chunk = [job, chunk = *next] { return job->chunk(chunk); },
               .tokens = job->join.chunks()[*next].tokens,
               .lane = job->answer.bulk ? tulip::Lane::kBulk : tulip::Lane::kOnline,
               .options = {job->came + to_duration(options_.timeout_seconds), job->stop.get_token()},
               .done = [this, job,
                        chunk = *next](absl::StatusOr<tulip::Reply> reply) { arrived(job, chunk, std::move(reply)); }});
}

void Gateway::arrived(const std::shared_ptr<Job>& job, size_t chunk, absl::StatusOr<tulip::Reply> reply) {
  if (!job->join.add(chunk, std::move(reply))) return send_next(job);
  job->answer.status = job->join.status();
  if (job->join.status().ok()) {
    job->answer.complete = job->is_complete();
  } else {
    job->stop.request_stop();
  }
  job->answer.latency = loop_.now() - job->came;
  job->answered(job->answer);
}

}  // namespace bouquet::simulate
