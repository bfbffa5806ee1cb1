// A file is its device, inode, size and time of writing.
#include "base/file_watch.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace bouquet {

std::vector<FileWatch::Stamp> FileWatch::look() const {
  std::vector<Stamp> stamps;
  for (const std::filesystem::path& file : files_) {
    struct stat info;
    stamps.emplace_back();
    if (stat(file.c_str(), &info) != 0) continue;
    stamps.back().emplace(info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  }
  return stamps;
}

void FileWatch::watch(std::vector<std::filesystem::path> files) {
  std::erase_if(files, [](const std::filesystem::path& file) { return file.empty(); });
  files_ = std::move(files);
  known_ = last_ = look();
}

bool FileWatch::changed() {
  std::vector<Stamp> now = look();
  const bool settled = now == last_;
  last_ = std::move(now);
  if (!settled || last_ == known_) return false;
  known_ = last_;
  return true;
}

}  // namespace bouquet
