// Eager, capture or replay: which batches get a captured graph, and which graphs are kept. A plain state machine; the
// runner holds the graphs themselves.
//
// A shape goes cold -> warmed (first hit, eager) -> captured (second hit) -> replayed. Above the inflection point,
// where a launch costs nothing beside the work, batches run eagerly. The least recently used shape is dropped at the
// bound.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>

namespace bouquet::tulip {

// sequences rounded up to 1, 2, 4 ... 64; tokens up to a multiple of 64 below 1024 and of 256 above; the longest
// sequence to a power of two.
struct GraphKey {
  int32_t slots = 0;
  int32_t tokens = 0;
  int32_t longest = 0;
  friend auto operator<=>(const GraphKey&, const GraphKey&) = default;
};

// None for a batch of more than 64 sequences.
std::optional<GraphKey> graph_key(int32_t sequences, int32_t tokens, int32_t longest);

enum class GraphMode : uint8_t { kLazy, kPrecapture, kOff };  // precapture: a shape is captured on its first hit
enum class GraphAction : uint8_t { kEager, kCapture, kReplay };

struct GraphPolicyOptions {
  GraphMode mode = GraphMode::kLazy;
  int32_t inflection_tokens = 1024;  // batches of more tokens run eagerly
  size_t max_graphs = 256;
};

struct GraphPlan {
  GraphAction action = GraphAction::kEager;
  GraphKey key;                     // of kCapture and kReplay
  std::optional<GraphKey> evicted;  // a graph to drop
};

class GraphPolicy {
 public:
  explicit GraphPolicy(GraphPolicyOptions options) : options_(options) {}
  // Plans one batch and counts the hit. kCapture is taken as done: the next hit replays.
  GraphPlan plan(int32_t sequences, int32_t tokens, int32_t longest);
  void set_inflection(int32_t tokens) { options_.inflection_tokens = tokens; }
  size_t size() const { return shapes_.size(); }

 private:
  struct Shape {
    bool captured = false;
    std::list<GraphKey>::iterator recency;
  };
  std::optional<GraphKey> make_room();
  GraphPolicyOptions options_;
  std::map<GraphKey, Shape> shapes_;
  std::list<GraphKey> recency_;  // most recent first
};

}  // namespace bouquet::tulip
