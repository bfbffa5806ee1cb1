// Files of torch.save made by hand, also such as it would never write.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bouquet::rose::testing_bytes {

template <class Number>
std::string raw(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

inline std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// ---- Values of a pickle, as opcodes.
inline std::string text(std::string_view value) {
  return "X" + raw(static_cast<uint32_t>(value.size())) + std::string(value);
}
inline std::string number(int64_t value) { return std::string("\x8a\x08", 2) + raw(value); }
inline std::string numbers(const std::vector<int64_t>& values) {
  std::string all = "(";
  for (const int64_t value : values) all += number(value);
  return all + "t";
}
inline std::string global(std::string_view module, std::string_view name) {
  return "c" + std::string(module) + "\n" + std::string(name) + "\n";
}
inline std::string storage(std::string_view type, std::string_view key, int64_t elements) {
  return "(" + text("storage") + global("torch", type) + text(key) + text("cpu") + number(elements) + "tQ";
}
inline std::string tensor(const std::string& storage, int64_t offset, const std::vector<int64_t>& shape,
                          const std::vector<int64_t>& strides) {
  return global("torch._utils", "_rebuild_tensor_v2") + "(" + storage + number(offset) + numbers(shape) +
         numbers(strides) + "\x89}tR";
}
// Names and values.
inline std::string dict(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string all = "}(";
  for (const auto& [name, value] : items) all += text(name) + value;
  return all + "u";
}
inline std::string pickle(const std::string& value) { return "\x80\x02" + value + "."; }

// ---- Zip archives.
struct ZipChoices {
  bool large = false;  // positions and sizes in zip64 fields
  uint16_t flags = 0;
  uint16_t method = 0;
};

inline std::string zip(const std::vector<std::pair<std::string, std::string>>& files, const ZipChoices& choices = {}) {
  std::string out, directory;
  for (const auto& [name, data] : files) {
    const auto size = static_cast<uint32_t>(data.size());
    const uint32_t stated = choices.large ? 0xffffffff : size;
    std::string extra;
    if (choices.large)
      extra =
          raw<uint16_t>(1) + raw<uint16_t>(24) + raw<uint64_t>(size) + raw<uint64_t>(size) + raw<uint64_t>(out.size());
    const std::string common = raw<uint16_t>(45) + raw(choices.flags) + raw(choices.method) + raw<uint32_t>(0) +
                               raw<uint32_t>(0) + raw(stated) + raw(stated) + raw(static_cast<uint16_t>(name.size()));
    directory += "PK\x01\x02" + raw<uint16_t>(45) + common + raw(static_cast<uint16_t>(extra.size())) +
                 raw<uint16_t>(0) + raw<uint64_t>(0) +
                 raw(choices.large ? 0xffffffff : static_cast<uint32_t>(out.size())) + name + extra;
    out += "PK\x03\x04" + common + raw<uint16_t>(3) + name + "pad" + data;
  }
  const uint64_t offset = out.size(), count = files.size(), size = directory.size();
  out += directory;
  if (choices.large) {
    const uint64_t end = out.size();
    out += "PK\x06\x06" + raw<uint64_t>(44) + raw<uint32_t>(0) + raw<uint64_t>(0) + raw(count) + raw(count) +
           raw(size) + raw(offset);
    out += "PK\x06\x07" + raw<uint32_t>(0) + raw(end) + raw<uint32_t>(1);
    return out + "PK\x05\x06" + raw<uint32_t>(0) + raw<uint32_t>(0xffffffff) + raw<uint64_t>(~uint64_t{0}) +
           raw<uint16_t>(0);
  }
  return out + "PK\x05\x06" + raw<uint32_t>(0) + raw(static_cast<uint16_t>(count)) + raw(static_cast<uint16_t>(count)) +
         raw(static_cast<uint32_t>(size)) + raw(static_cast<uint32_t>(offset)) + raw<uint16_t>(0);
}

// An archive with this pickle and one storage, "0", of these bytes.
inline std::string torch_zip(const std::string& pickled, const std::string& storage_bytes) {
  return zip({{"archive/data.pkl", pickled}, {"archive/byteorder", "little"}, {"archive/data/0", storage_bytes}});
}

}  // namespace bouquet::rose::testing_bytes
