// The layout is huggingface_hub's; an incomplete snapshot is not found.
#include "cli/hub/cache.h"

#include "base/testing/scratch_folder.h"
#include "gtest/gtest.h"

namespace bouquet::cli {
namespace {

namespace fs = std::filesystem;

TEST(HubCache, LinksRefsAndCompleteness) {
  const ScratchFolder root;
  const std::string commit(40, '1');
  const HubCache cache(root, "org/name");
  const fs::path model = fs::path(BOUQUET_SOURCE_DIR) / "tests/golden/models/pool-mean";
  EXPECT_FALSE(cache.find("main").has_value());
  int blob = 0;
  for (const auto& entry : fs::recursive_directory_iterator(model)) {
    if (!entry.is_regular_file()) continue;
    const RepositoryFile file{fs::relative(entry.path(), model).string(), -1, "", std::to_string(blob++)};
    fs::create_directories(cache.blob(file).parent_path());
    fs::copy_file(entry.path(), cache.blob(file));
    ASSERT_TRUE(cache.link(commit, file).ok());
  }
  ASSERT_TRUE(cache.set_ref("main", commit).ok());
  EXPECT_TRUE(fs::exists(root / "models--org--name" / "snapshots" / commit / "1_Pooling" / "config.json"));
  EXPECT_EQ(cache.find("main"), cache.snapshot(commit));
  EXPECT_EQ(cache.find(commit), cache.snapshot(commit));
  fs::remove(cache.snapshot(commit) / "model.safetensors");
  EXPECT_EQ(cache.find("main", ModelParts::kText), cache.snapshot(commit));
  EXPECT_FALSE(cache.find("main").has_value());
}

}  // namespace
}  // namespace bouquet::cli
