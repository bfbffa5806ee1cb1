// Two maps of the same kind.
#include "rose/weights/weight_store.h"

#include "base/status.h"

namespace bouquet::rose {
namespace {

template <class Kept, class Make>
absl::StatusOr<Kept> find_or_make(std::map<std::string, Kept>& kept, const std::string& key, Make make) {
  const auto found = kept.find(key);
  if (found != kept.end()) return found->second;
  ASSIGN_OR_RETURN(auto made, make());
  return kept[key] = std::move(made);
}

}  // namespace

absl::StatusOr<std::shared_ptr<Buffer>> WeightStore::buffer(
    const std::string& key, absl::FunctionRef<absl::StatusOr<std::unique_ptr<Buffer>>()> make) {
  return find_or_make(buffers_, key, make);
}

absl::StatusOr<PackedMatrix> WeightStore::matrix(const std::string& key,
                                                 absl::FunctionRef<absl::StatusOr<PackedMatrix>()> make) {
  return find_or_make(matrices_, key, make);
}

}  // namespace bouquet::rose
