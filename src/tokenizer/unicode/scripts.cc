// Expands the ranges.
#include "tokenizer/unicode/scripts.h"

#include "tokenizer/unicode/script_tables.h"

namespace bouquet::tokenizer {
namespace {

CodePointFlags read_table() {
  CodePointFlags result;
  const std::span<const uint32_t> data = tables::kScripts;
  char32_t code = 0;
  for (size_t i = 0; i < data.size(); i += 3) {
    code += data[i];
    for (const char32_t end = code + data[i + 1]; code < end; ++code) {
      result.add(code, static_cast<uint16_t>(data[i + 2]));
    }
  }
  return result;
}

}  // namespace

const CodePointFlags& scripts() {
  static const CodePointFlags* const table = new CodePointFlags(read_table());
  return *table;
}

}  // namespace bouquet::tokenizer
