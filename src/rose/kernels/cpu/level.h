// One instruction-set level's kernels as plain functions: what each worker of a team runs of a launch. The level files
// (level_avx2.cc ...) fill this table from the same templates; they define nothing else that the linker could share,
// since code compiled for a newer processor must never be picked for an older one.
#pragma once

#include <cstdint>

#include "rose/device/cpu/isa.h"
#include "rose/device/cpu/team.h"
#include "rose/kernels/kernels.h"

namespace bouquet::rose::cpu {

inline constexpr int kPanel = 16;  // columns of a packed weight panel

// A packed matrix as bare pointers: panels of 16 outputs, f32 [n/16][k][16] or bf16 [n/16][k/2][16][2].
struct PanelMatrix {
  const void* data;
  DType dtype;
  int32_t n;
  int32_t k;
};

struct Level {
  void (*linear)(const LinearArgs&, const PanelMatrix&, Worker&);
  void (*norm)(const NormArgs&, Worker&);
  void (*gate)(const GateArgs&, Worker&);
  void (*rope)(const RopeArgs&, Worker&);
  void (*attention)(const AttentionArgs&, Worker&, float* scratch);  // attention_scratch() floats, 64-byte aligned
  void (*store)(const AttentionArgs&, Worker&);
  void (*paged_attention)(const AttentionArgs&, Worker&, float* scratch);  // paged_scratch() floats, likewise
  void (*embed)(const EmbedArgs&, Worker&);
  void (*pool)(const PoolArgs&, Worker&);
  void (*vocabulary)(const VocabularyArgs&, const PanelMatrix&, Worker&);
  void (*finish)(const FinishArgs&, Worker&);
};

// Keys and values of one head repacked, one tile of scores, and what disentangled attention adds (disentangled.h), for
// sequences up to `longest` tokens.
constexpr int64_t attention_scratch(int64_t longest, int64_t head_dim, int64_t places) {
  constexpr int64_t kRows = 16;  // at least a tile's
  const int64_t keys = (longest + kPanel - 1) / kPanel * kPanel;
  const int64_t width = (head_dim + kPanel - 1) / kPanel * kPanel;
  const int64_t placed = (places + kPanel - 1) / kPanel * kPanel;
  return keys * head_dim + keys * width + kRows * keys + kRows * width + placed * (2 * head_dim + kRows + keys);
}

// One tile of scores, and what comes of it, for sequences up to `longest` tokens.
constexpr int64_t paged_scratch(int64_t longest, int64_t head_dim) {
  constexpr int64_t kRows = 16;  // at least a tile's
  return kRows * ((longest + kPanel - 1) / kPanel * kPanel + (head_dim + kPanel - 1) / kPanel * kPanel);
}

extern const Level kPortableLevel;
extern const Level kAvx2Level;
extern const Level kAvx512Level;

const Level& level_of(Isa isa);

}  // namespace bouquet::rose::cpu
