// Reads a Python pickle as data. Nothing is ever run: what a pickle would call stays a value that holds the callable's
// name and the arguments. Only the opcodes that dictionaries of tensors are made of are known, and only the globals
// that the caller allows; whatever else comes is refused by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace bouquet::rose {

enum class PickleKind : uint8_t {
  kNone,
  kBool,
  kInt,
  kLong,    // an integer of more than 64 bits
  kText,    // str, or bytes of Python 2
  kGlobal,  // a class or function, by its name
  kTuple,
  kList,
  kDict,  // dict or OrderedDict
  kCall,
  kPersistent,  // what the writer kept outside the pickle, by an id
};

struct PickleValue {
  PickleKind kind = PickleKind::kNone;
  int64_t integer = 0;          // kInt; kBool: 0 or 1
  std::string_view text;        // kText; kLong: its little-endian bytes; kGlobal, kCall: "module.name"
  std::vector<uint32_t> items;  // in Pickle::values. kDict: key, value, key ...; kCall: arguments; kPersistent: the id
};

struct Pickle {
  std::vector<PickleValue> values;  // a value may be an item of several, of itself too
  uint32_t root = 0;
  size_t size = 0;  // bytes the pickle took

  const PickleValue& top() const { return values[root]; }
  const PickleValue& item(const PickleValue& of, size_t i) const { return values[of.items[i]]; }
};

// The pickle at the front of `bytes`; more may follow it. Its texts point into `bytes` and into `allowed_globals`
// ("module.name"; collections.OrderedDict is always allowed), which must outlive it. INVALID_ARGUMENT says what is
// wrong and where.
absl::StatusOr<Pickle> read_pickle(std::span<const std::byte> bytes, std::span<const std::string_view> allowed_globals);

}  // namespace bouquet::rose
