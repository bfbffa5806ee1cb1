// Stretches that may change are rewritten, the rest is copied.
#include "tokenizer/normalizers/form_normalizer.h"

namespace bouquet::tokenizer {

void FormNormalizer::normalize(NormalizerScratch* scratch, NormalizedText* text) const {
  const std::string_view in = text->view();
  Stretch stretch = form_.next(in, 0);
  if (stretch.begin == in.size()) return;
  text->begin_stage();
  for (size_t done = 0; done < in.size(); stretch = form_.next(in, done)) {
    text->copy_run(done, stretch.begin - done);
    form_.rewrite(in.substr(stretch.begin, stretch.end - stretch.begin), &scratch->form);
    size_t at = stretch.begin;
    for (const FormChar& here : scratch->form) text->put_change({here.code, here.change}, &at);
    done = stretch.end;
  }
  text->commit();
}

}  // namespace bouquet::tokenizer
