// Header JSON through simdjson, each byte range checked.
#include "rose/weights/safetensors.h"

#include <cstring>
#include <string_view>

#include "base/status.h"
#include "fmt/format.h"
#include "simdjson.h"

namespace bouquet::rose {
namespace {

constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // as the reference implementation bounds it

absl::Status broken(std::string_view name, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("safetensors: tensor \"{}\": {}", name, what));
}

struct ElementType {
  std::optional<DType> dtype;
  uint64_t size;
};

std::optional<ElementType> element_type(std::string_view name) {
  if (name == "F32") return ElementType{DType::kF32, 4};
  if (name == "F16") return ElementType{DType::kF16, 2};
  if (name == "BF16") return ElementType{DType::kBF16, 2};
  if (name == "I32") return ElementType{DType::kI32, 4};
  if (name == "U8") return ElementType{DType::kU8, 1};
  if (name == "I8") return ElementType{DType::kI8, 1};
  if (name == "I64") return ElementType{DType::kI64, 8};
  if (name == "F64") return ElementType{DType::kF64, 8};
  if (name == "U64") return ElementType{std::nullopt, 8};
  if (name == "U32") return ElementType{std::nullopt, 4};
  if (name == "I16" || name == "U16") return ElementType{std::nullopt, 2};
  if (name == "BOOL" || name == "F8_E4M3" || name == "F8_E5M2") return ElementType{std::nullopt, 1};
  return std::nullopt;
}

absl::StatusOr<TensorEntry> parse_entry(std::string_view name, simdjson::dom::element value,
                                        std::span<const std::byte> data) {
  std::string_view type_name;
  simdjson::dom::array shape, offsets;
  if (value["dtype"].get(type_name) || value["shape"].get(shape) || value["data_offsets"].get(offsets)) {
    return broken(name, "needs dtype, shape and data_offsets");
  }
  const std::optional<ElementType> type = element_type(type_name);
  if (!type) return broken(name, fmt::format("unknown dtype {}", type_name));
  TensorEntry entry{type->dtype, {}, {}};
  uint64_t elements = 1;
  for (simdjson::dom::element dim : shape) {
    uint64_t size = 0;
    if (dim.get(size) || size > INT32_MAX || __builtin_mul_overflow(elements, size, &elements)) {
      return broken(name, "impossible shape");
    }
    entry.shape.push_back(static_cast<int64_t>(size));
  }
  uint64_t range[2] = {}, bytes = 0;
  if (offsets.size() != 2 || offsets.at(0).get(range[0]) || offsets.at(1).get(range[1]) || range[0] > range[1] ||
      range[1] > data.size()) {
    return broken(name, fmt::format("data_offsets outside the file's {} bytes", data.size()));
  }
  if (__builtin_mul_overflow(elements, type->size, &bytes) || bytes != range[1] - range[0]) {
    return broken(name, "shape and data_offsets disagree");
  }
  entry.bytes = data.subspan(range[0], bytes);
  return entry;
}

}  // namespace

absl::StatusOr<TensorMap> parse_safetensors(std::span<const std::byte> file) {
  uint64_t header_size = 0;
  if (file.size() < sizeof(header_size))
    return absl::InvalidArgumentError("safetensors: shorter than its header length");
  std::memcpy(&header_size, file.data(), sizeof(header_size));
  if (header_size > kMaxHeaderBytes || header_size > file.size() - sizeof(header_size)) {
    return absl::InvalidArgumentError(
        fmt::format("safetensors: header of {} bytes in a file of {}", header_size, file.size()));
  }
  const std::string_view header(reinterpret_cast<const char*>(file.data()) + sizeof(header_size), header_size);
  simdjson::dom::parser parser;
  simdjson::dom::object root;
  if (const auto error = parser.parse(header.data(), header.size()).get(root)) {
    return absl::InvalidArgumentError(fmt::format("safetensors: header: {}", simdjson::error_message(error)));
  }
  const std::span<const std::byte> data = file.subspan(sizeof(header_size) + header_size);
  TensorMap tensors;
  for (auto [name, value] : root) {
    if (name == "__metadata__") continue;
    ASSIGN_OR_RETURN(TensorEntry entry, parse_entry(name, value, data));
    if (!tensors.emplace(std::string(name), std::move(entry)).second) return broken(name, "named twice");
  }
  return tensors;
}

}  // namespace bouquet::rose
