// From the directory at the archive's end to each entry's own header, and from there to its bytes.
#include "rose/weights/zip_entries.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "base/status.h"
#include "fmt/format.h"
#include "rose/weights/byte_reader.h"

namespace bouquet::rose {
namespace {

using Bytes = std::span<const std::byte>;

constexpr uint32_t kLocalHeader = 0x04034b50, kDirectoryHeader = 0x02014b50, kEnd = 0x06054b50;
constexpr uint32_t kLargeEnd = 0x06064b50, kLargeEndLocator = 0x07064b50;
constexpr size_t kLocalHeaderSize = 30, kDirectoryHeaderSize = 46, kEndSize = 22;
constexpr size_t kLargeEndSize = 56, kLargeEndLocatorSize = 20;
constexpr size_t kMaxComment = 0xffff;
constexpr uint64_t kMaxEntries = 200'000;
constexpr uint32_t kInLargeField = 0xffffffff;  // what is too large for its field stands in a zip64 field
constexpr uint16_t kLargeFieldId = 1;
constexpr uint16_t kEncrypted = 1, kStored = 0;

absl::Status broken(const std::string& what) { return absl::InvalidArgumentError(fmt::format("zip: {}", what)); }

absl::Status broken(std::string_view name, const std::string& what) {
  return broken(fmt::format("entry \"{}\" {}", absl::CHexEscape(std::string(name.substr(0, 200))), what));
}

// A number within a record whose size was checked.
template <class Number>
Number number_at(Bytes record, size_t at) {
  return *ByteReader(record.subspan(at)).take_number<Number>();
}

// The record of that size and signature at that place; empty where there is none.
Bytes record_at(Bytes file, uint64_t at, size_t size, uint32_t signature) {
  if (at > file.size() || size > file.size() - at) return {};
  const Bytes record = file.subspan(at, size);
  return number_at<uint32_t>(record, 0) == signature ? record : Bytes();
}

struct Directory {
  uint64_t entries = 0;
  uint64_t size = 0;
  uint64_t offset = 0;
};

absl::StatusOr<Directory> large_directory(Bytes file, Bytes locator) {
  const Bytes end = record_at(file, number_at<uint64_t>(locator, 8), kLargeEndSize, kLargeEnd);
  if (end.empty()) return broken("the zip64 end record is not where it should be");
  return Directory{number_at<uint64_t>(end, 32), number_at<uint64_t>(end, 40), number_at<uint64_t>(end, 48)};
}

// The end record is the last thing in the file but for a comment, whose length it states.
absl::StatusOr<Directory> find_directory(Bytes file) {
  for (size_t comment = 0; comment <= kMaxComment && kEndSize + comment <= file.size(); ++comment) {
    const size_t at = file.size() - comment - kEndSize;
    const Bytes end = record_at(file, at, kEndSize, kEnd);
    if (end.empty() || number_at<uint16_t>(end, 20) != comment) continue;
    if (at >= kLargeEndLocatorSize) {
      const Bytes locator = record_at(file, at - kLargeEndLocatorSize, kLargeEndLocatorSize, kLargeEndLocator);
      if (!locator.empty()) return large_directory(file, locator);
    }
    return Directory{number_at<uint16_t>(end, 10), number_at<uint32_t>(end, 12), number_at<uint32_t>(end, 16)};
  }
  return broken("has no end record: cut short, or no zip");
}

struct Place {
  uint64_t stored_size = 0;
  uint64_t size = 0;
  uint64_t header = 0;  // of the entry's own header
};

// Of what the directory could not say in 32 bits, the zip64 field has 64, in this order.
bool read_large_field(Bytes extra, Place* place) {
  ByteReader fields(extra);
  while (fields.left() > 0) {
    const auto id = fields.take_number<uint16_t>(), size = fields.take_number<uint16_t>();
    const auto body = size ? fields.take_bytes(*size) : std::nullopt;
    if (!body) return false;
    if (*id != kLargeFieldId) continue;
    ByteReader numbers(*body);
    for (uint64_t* number : {&place->size, &place->stored_size, &place->header}) {
      if (*number != kInLargeField) continue;
      const auto large = numbers.take_number<uint64_t>();
      if (!large) return false;
      *number = *large;
    }
    return true;
  }
  return false;
}

// The bytes behind the entry's own header.
absl::StatusOr<Bytes> bytes_of(Bytes file, std::string_view name, const Place& place) {
  const Bytes header = record_at(file, place.header, kLocalHeaderSize, kLocalHeader);
  if (header.empty()) return broken(name, "is not where the directory says");
  ByteReader rest(file.subspan(place.header + kLocalHeaderSize));
  const uint64_t before = uint64_t{number_at<uint16_t>(header, 26)} + number_at<uint16_t>(header, 28);
  const auto skipped = rest.take_bytes(before);
  const auto bytes = skipped ? rest.take_bytes(place.size) : std::nullopt;
  return bytes ? absl::StatusOr<Bytes>(*bytes) : broken(name, fmt::format("of {} bytes leaves the file", place.size));
}

// Takes one entry of the directory.
absl::Status take_entry(Bytes file, ByteReader& directory, ZipEntries* entries) {
  const auto header = directory.take_bytes(kDirectoryHeaderSize);
  if (!header || number_at<uint32_t>(*header, 0) != kDirectoryHeader) return broken("the directory is cut short");
  const auto name = directory.take_text(number_at<uint16_t>(*header, 28));
  const auto extra = name ? directory.take_bytes(number_at<uint16_t>(*header, 30)) : std::nullopt;
  const auto comment = extra ? directory.take_bytes(number_at<uint16_t>(*header, 32)) : std::nullopt;
  if (!comment) return broken("the directory is cut short");
  if (number_at<uint16_t>(*header, 8) & kEncrypted) return broken(*name, "is encrypted");
  if (number_at<uint16_t>(*header, 10) != kStored) return broken(*name, "is compressed");
  Place place{number_at<uint32_t>(*header, 20), number_at<uint32_t>(*header, 24), number_at<uint32_t>(*header, 42)};
  const bool large = std::max({place.stored_size, place.size, place.header}) == kInLargeField;
  if (large && !read_large_field(*extra, &place)) return broken(*name, "has a broken zip64 field");
  if (place.stored_size != place.size) return broken(*name, "is stored in another size than its own");
  ASSIGN_OR_RETURN(const Bytes bytes, bytes_of(file, *name, place));
  return entries->emplace(*name, bytes).second ? absl::OkStatus() : broken(*name, "is there twice");
}

}  // namespace

bool is_zip(Bytes file) { return !record_at(file, 0, sizeof(kLocalHeader), kLocalHeader).empty(); }

absl::StatusOr<ZipEntries> zip_entries(Bytes file) {
  ASSIGN_OR_RETURN(const Directory directory, find_directory(file));
  if (directory.entries > kMaxEntries) return broken(fmt::format("has {} entries", directory.entries));
  ByteReader rest(file);
  if (!rest.take_bytes(directory.offset)) return broken("the directory lies outside the file");
  const auto bytes = rest.take_bytes(directory.size);
  if (!bytes) return broken("the directory lies outside the file");
  ByteReader headers(*bytes);
  ZipEntries entries;
  for (uint64_t i = 0; i < directory.entries; ++i) RETURN_IF_ERROR(take_entry(file, headers, &entries));
  return entries;
}

}  // namespace bouquet::rose
