// Runs that stay are copied.
#include "tokenizer/normalizers/nmt_normalizer.h"

namespace bouquet::tokenizer {
namespace {

enum class Fate : uint8_t { kStays, kGoes, kBecomesSpace };

Fate fate_of(char32_t code) {
  if (code >= 0x20 && code < 0x7F) return Fate::kStays;
  if (code == '\t' || code == '\n' || code == '\f' || code == '\r') return Fate::kBecomesSpace;
  if (code == 0) return Fate::kStays;
  if (code < 0x20 || code == 0x7F || code == 0x8F || code == 0x9F) return Fate::kGoes;
  const bool is_space = code == 0x1680 || (code >= 0x200B && code <= 0x200F) || code == 0x2028 || code == 0x2029 ||
                        code == 0x2581 || code == 0xFEFF || code == 0xFFFD;
  return is_space ? Fate::kBecomesSpace : Fate::kStays;
}

}  // namespace

void NmtNormalizer::normalize(NormalizerScratch*, NormalizedText* text) const {
  const std::string_view in = text->view();
  size_t done = 0;
  bool any = false;
  for (size_t at = 0; at < in.size();) {
    const Utf8Char here = utf8_at(in, at);
    const size_t end = at + here.length;
    if (const Fate fate = fate_of(here.code); fate != Fate::kStays) {
      if (!any) text->begin_stage();
      any = true;
      text->copy_run(done, at - done);
      if (fate == Fate::kBecomesSpace) text->put(U' ', text->origin(at));
      done = end;
    }
    at = end;
  }
  if (!any) return;
  text->copy_run(done, in.size() - done);
  text->commit();
}

}  // namespace bouquet::tokenizer
