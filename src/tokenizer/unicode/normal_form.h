// The Unicode normal forms NFC, NFD, NFKC and NFKD, as the Unicode version of `tokenizers` has them.
//
//   const NormalForm& form = NormalForm::get(NormalForm::kNfc);
//   for (Stretch part = form.next(text, 0); part.begin < text.size(); part = form.next(text, part.end)) {
//     form.rewrite(text.substr(part.begin, part.end - part.begin), &chars);  // stands in place of those bytes
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizer/unicode/normal_form_data.h"

namespace bouquet::tokenizer {

// One character of a normal form and how it comes about, as CharChange counts (normalized_text.h).
struct FormChar {
  char32_t code = 0;
  uint8_t combining_class = 0;
  int32_t change = 0;
};

struct Stretch {
  size_t begin = 0;
  size_t end = 0;
};

class NormalForm {
 public:
  enum Kind : uint8_t { kNfc, kNfd, kNfkc, kNfkd };

  explicit NormalForm(Kind kind);

  // Built at first use, never destroyed.
  static const NormalForm& get(Kind kind);

  // The first stretch at or after `from` that may change; what is before it is in the form already. Both at
  // text.size(): none. `from` is 0 or the end of a stretch; `text` is well-formed UTF-8.
  Stretch next(std::string_view text, size_t from) const;

  // `chars` becomes the stretch in this form.
  void rewrite(std::string_view stretch, std::vector<FormChar>* chars) const;

 private:
  size_t end_of_stretch(std::string_view text, size_t at) const;
  void decompose(char32_t code, std::vector<FormChar>* chars) const;
  void compose(std::vector<FormChar>* chars) const;

  bool composes_;
  NormalFormData data_;
};

}  // namespace bouquet::tokenizer
