// Kernels that pass every call on to another back end: a base for those that watch, delay or spoil single kernels.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rose/kernels/kernels.h"

namespace bouquet::rose {

class ForwardingKernels : public Kernels {
 public:
  explicit ForwardingKernels(std::unique_ptr<Kernels> inner) : inner_(std::move(inner)) {}
  std::string name() const override { return inner_->name(); }
  absl::StatusOr<PackedMatrix> pack(Device& device, DType dtype, int32_t n, int32_t k, const float* w) const override {
    return inner_->pack(device, dtype, n, k, w);
  }
  void embed(Stream& s, const EmbedArgs& a) const override { inner_->embed(s, a); }
  void linear(Stream& s, const LinearArgs& a) const override { inner_->linear(s, a); }
  void norm(Stream& s, const NormArgs& a) const override { inner_->norm(s, a); }
  void gate(Stream& s, const GateArgs& a) const override { inner_->gate(s, a); }
  void rope(Stream& s, const RopeArgs& a) const override { inner_->rope(s, a); }
  void attention(Stream& s, const AttentionArgs& a) const override { inner_->attention(s, a); }
  void store(Stream& s, const AttentionArgs& a) const override { inner_->store(s, a); }
  void paged_attention(Stream& s, const AttentionArgs& a) const override { inner_->paged_attention(s, a); }
  void pool(Stream& s, const PoolArgs& a) const override { inner_->pool(s, a); }
  void vocabulary(Stream& s, const VocabularyArgs& a) const override { inner_->vocabulary(s, a); }
  void finish(Stream& s, const FinishArgs& a) const override { inner_->finish(s, a); }

 private:
  std::unique_ptr<Kernels> inner_;
};

}  // namespace bouquet::rose
