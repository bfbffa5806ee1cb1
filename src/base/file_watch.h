// Tells when files are other ones than before: written anew, renamed over, or a link on the way to them turned
// elsewhere (as a Kubernetes ConfigMap does). It looks when it is asked to, and costs one system call a file.
//
//   FileWatch watch({"keys", "recipe.toml"});
//   ... several times a second: if (watch.changed()) reload();
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <tuple>
#include <vector>

namespace bouquet {

class FileWatch {
 public:
  explicit FileWatch(std::vector<std::filesystem::path> files) { watch(std::move(files)); }

  // These from now on: those that were watched already as they were found last, so that nothing is missed, the others
  // as they are now. Empty paths are left out. A file need not be there.
  void watch(std::vector<std::filesystem::path> files);

  // True once after a change, at the second look that finds the files so: one that is still being written is left time.
  bool changed();

 private:
  using Stamp = std::optional<std::tuple<uint64_t, uint64_t, int64_t, int64_t, int64_t>>;
  std::vector<Stamp> look() const;

  std::vector<std::filesystem::path> files_;
  std::vector<Stamp> known_, last_;
};

}  // namespace bouquet
