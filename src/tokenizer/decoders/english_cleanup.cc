// The rules in the order of `tokenizers`.
#include "tokenizer/decoders/english_cleanup.h"

#include <array>
#include <string_view>
#include <utility>

#include "tokenizer/strings.h"

namespace bouquet::tokenizer {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kCleanups = {{{" .", "."},
                                                                                      {" ?", "?"},
                                                                                      {" !", "!"},
                                                                                      {" ,", ","},
                                                                                      {" ' ", "'"},
                                                                                      {" n't", "n't"},
                                                                                      {" 'm", "'m"},
                                                                                      {" do not", " don't"},
                                                                                      {" 's", "'s"},
                                                                                      {" 've", "'ve"},
                                                                                      {" 're", "'re"}}};

}  // namespace

void clean_up_english(std::string* token) {
  for (const auto& [from, to] : kCleanups) replace_all(from, to, token);
}

}  // namespace bouquet::tokenizer
