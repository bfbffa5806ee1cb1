// POSIX files behind absl::Status.
#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/status.h"
#include "fmt/format.h"

namespace bouquet {
namespace {

constexpr size_t kMostReserved = 64 << 20;  // bytes; a file that says more is believed as it is read

absl::Status system_error(const char* action, const std::filesystem::path& path, int error) {
  const std::string message = fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(error));
  return error == ENOENT || error == ENOTDIR ? absl::NotFoundError(message) : absl::FailedPreconditionError(message);
}

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

}  // namespace

bool file_exists(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

absl::StatusOr<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) return system_error("open", path, errno);
  struct stat info;
  if (fstat(file.fd, &info) != 0) return system_error("stat", path, errno);
  if (!S_ISREG(info.st_mode)) return absl::FailedPreconditionError(fmt::format("{} is not a file", path.string()));
  if (info.st_size == 0) return MappedFile(nullptr, 0);
  const auto size = static_cast<size_t>(info.st_size);
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (data == MAP_FAILED) return system_error("map", path, errno);
  return MappedFile(data, size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_) munmap(data_, size_);
}

absl::StatusOr<std::string> read_file(const std::filesystem::path& path) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) return system_error("open", path, errno);
  std::string text;
  if (struct stat info; fstat(file.fd, &info) == 0) text.reserve(std::min<size_t>(info.st_size, kMostReserved));
  for (;;) {
    char block[64 << 10];
    const ssize_t count = ::read(file.fd, block, sizeof(block));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("read", path, errno);
    if (count == 0) return text;
    text.append(block, static_cast<size_t>(count));
  }
}

void MappedFile::release(std::span<const std::byte> part) const {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(part.data()), end = begin + part.size();
  const auto first = reinterpret_cast<uintptr_t>(data_);
  if (part.empty() || begin < first || end > first + size_) return;
  const uintptr_t from = (begin + page - 1) / page * page, to = end / page * page;
  if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

}  // namespace bouquet
