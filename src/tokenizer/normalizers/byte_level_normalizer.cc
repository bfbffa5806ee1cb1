// Printable ASCII stays; it is copied in runs.
#include "tokenizer/normalizers/byte_level_normalizer.h"

#include "tokenizer/unicode/byte_alphabet.h"

namespace bouquet::tokenizer {
namespace {

bool stays(char byte) { return byte > ' ' && byte < '\x7F'; }

}  // namespace

void ByteLevelNormalizer::normalize(NormalizerScratch*, NormalizedText* text) const {
  const std::string_view in = text->view();
  text->begin_stage();
  for (size_t at = 0; at < in.size();) {
    size_t run = 0;
    while (at + run < in.size() && stays(in[at + run])) ++run;
    text->copy_run(at, run);
    at += run;
    const uint32_t length = at < in.size() ? utf8_length(in[at]) : 0;
    for (uint32_t i = 0; i < length; ++i) {
      text->put(byte_to_char(static_cast<unsigned char>(in[at + i])), text->origin(at));
    }
    at += length;
  }
  text->commit();
}

}  // namespace bouquet::tokenizer
