// A file is its device, inode, size and time of writing.
#include "base/file_watch.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
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
  std::map<std::filesystem::path, Stamp> known;
  for (size_t i = 0; i < files_.size(); ++i) known[files_[i]] = known_[i];
  files_ = std::move(files);
  known_ = look();
  last_.clear();
  for (size_t i = 0; i < files_.size(); ++i) {
    if (const auto found = known.find(files_[i]); found != known.end()) known_[i] = found->second;
  }
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
