// Files read whole or mapped.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "absl/status/statusor.h"

namespace bouquet {

// NOT_FOUND where there is none; other errors name the path and the system's reason. The file may change meanwhile,
// which a mapped one may not.
absl::StatusOr<std::string> read_file(const std::filesystem::path& path);

// False too where it cannot be looked at.
bool file_exists(const std::filesystem::path& path);

// A read-only mapping, unmapped with the object. Empty files map to an empty span.
class MappedFile {
 public:
  static absl::StatusOr<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();
  // Whole pages within `part` of bytes() leave this process's memory; when they are read again, they come back from the
  // page cache or the disk. Nothing where `part` is of no mapping of this object's.
  void release(std::span<const std::byte> part) const;
  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }

 private:
  MappedFile(void* data, size_t size) : data_(data), size_(size) {}
  void* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace bouquet
